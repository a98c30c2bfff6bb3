"""The running table: inputs, display, storage, web server and program. Only this package may import all others."""
