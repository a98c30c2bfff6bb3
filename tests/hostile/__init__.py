"""Attacks: what guests, strangers on the network and foreign files may try, one file for each kind."""
