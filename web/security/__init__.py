"""Permissions: sign-in by code, signed cookies, limits, and rejections."""
