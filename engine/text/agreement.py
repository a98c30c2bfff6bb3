"""Verbs that agree with what people call a side: "The Owls bat", "Leo bats", "Your team bats", "You bat"."""

from __future__ import annotations

import re

PLURAL_WORDS = re.compile("you|we|they|sox|men|women|children|people|folk|mice|geese|oxen")
"""Last words of plural names without a plural s."""

SINGULAR_WORDS = re.compile(
    "adams|agnes|alys|amos|anders|andreas|angeles|athens|banks|bas|brooks|brussels|carlos|charles|chas|"
    "collins|dallas|daniels|des|douglas|edwards|elias|emrys|evans|frances|giles|gladys|hayes|hermes|hughes|"
    "ines|james|jens|jones|jonas|josias|jules|kansas|lars|les|lucas|lukas|mads|marcos|mats|matthias|mathias|"
    "mercedes|miles|moses|naples|nicholas|nicolas|niels|niklas|nikos|nils|owens|peters|reynolds|rhys|roberts|"
    "rogers|silas|stevens|texas|thomas|tobias|ulysses|vegas|wales|wes|williams|yves|zacharias"
)
"""Names of people and places that end like a plural."""

SINGULAR_ENDINGS = ("ss", "us", "is")
"""Endings of words in the singular, as in "Marcus" or "Iris". After "the", a plural may end in "us" or "is"."""


def is_plural_name(name: str) -> bool:
    """True if the verb after a name is plural. Guessed from its words, as nobody says whether a name is plural."""
    words = re.findall(r"[^\W0-9_]+(?:['’][^\W0-9_]+)?", name.casefold())
    if not words:
        return False
    last = words[-1]
    if "and" in words[1:-1] or "&" in name or PLURAL_WORDS.fullmatch(last):
        return True
    if SINGULAR_WORDS.fullmatch(last) or not last.endswith("s") or last.endswith("ss"):
        return False
    if re.search("['’]", last):
        return len(last) == 3  # "The A's", but "Joe's".
    return words[0] == "the" or not last.endswith(SINGULAR_ENDINGS)


def name_with_verb(name: str, verb: str) -> str:
    """Return a name and the form of `verb` after it. `verb` has the singular and the plural: "bats/bat"."""
    one, _, many = verb.partition("/")
    return f"{name} {many if is_plural_name(name) else one}"
