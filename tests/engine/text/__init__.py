"""Tests of text that anybody may have written."""
