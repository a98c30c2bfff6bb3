"""Small games that only tests play: what no game of the product has, or has not so plainly."""
