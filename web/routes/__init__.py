"""The routes of the JSON API and the pages, with one file for each part of the site."""
