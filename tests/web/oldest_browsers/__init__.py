"""The pages' sources against the oldest browsers that Dugout supports: ESLint, with MDN's table of what each one has.

`oldest.json` names the browsers, `exceptions.js` what older ones may lack, and `package-lock.json` the packages, which
`npm ci` puts beside it. `scripts/lock` renews that lock.
"""
