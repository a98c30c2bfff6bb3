"""The running table: inputs, display, storage, web server and the program. Only this room may import every other."""
