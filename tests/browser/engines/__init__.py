"""The pages in engines other than today's Chromium: Firefox, current and old WebKit, Chromiums of old televisions."""
