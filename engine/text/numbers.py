"""Numbers as text: integers that come from outside, chances that are shown."""

from __future__ import annotations


def parse_whole_number(text: str, most: int) -> int | None:
    """Return the integer from 0 to `most` in a text of ASCII digits, None for any other text.

    `int` would accept digits of other scripts, signs, spaces and underscores, and raises for thousands of digits.
    """
    if not (text.isascii() and text.isdecimal()) or len(text) > len(str(most)):
        return None
    number = int(text)
    return number if number <= most else None


def chance_text(share: float, margin: float = 0.0) -> str:
    """Return a chance in percent, as "62%", with no more digits than are known.

    share: 0 to 1. Only exactly 0 and 1 become "0%" and "100%", anything close to them "<1%" and ">99%". The texts of
    a chance and of its opposite add up to 100.
    margin: about how far it may be from the truth. Above 0.05, only tens are shown, as "60%", "<10%" or ">90%".
    """
    step = 1 if margin <= 0.05 else 10
    percent = round(100 * share, 6)  # without the noise of binary fractions, which would round one of two halves wrong
    if percent < step and share > 0:
        return f"<{step}%"
    if percent > 100 - step and share < 1:
        return f">{100 - step}%"
    return f"{step * round(percent / step)}%"


def rate_text(rate: float | None) -> str:
    """Return a rate such as a batting average with three decimals and without a leading zero: ".333", "1.000".

    "" for None. Halves are rounded up, as record books do, not to an even digit.
    """
    text = _fixed_text(rate, 3)
    return text[1:] if text.startswith("0.") else text


def average_text(average: float | None) -> str:
    """Return an average such as an earned run average with two decimals: "1.98", "0.00"; "" for None."""
    return _fixed_text(average, 2)


def _fixed_text(number: float | None, decimals: int) -> str:
    if number is None:
        return ""
    steps = 10**decimals
    whole = int(number * steps + 0.5 + 1e-9)  # without the noise of binary fractions below a half
    return f"{whole // steps}.{whole % steps:0{decimals}}"
