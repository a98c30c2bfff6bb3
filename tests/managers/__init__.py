"""Tests of the computer managers."""
