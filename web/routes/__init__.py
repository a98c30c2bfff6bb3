"""The routes: the JSON API and the pages, one file for each part of the site."""
