"""Every reason for rejecting a phone, with its limit, status and sentence.

Other modules are the gates that reject, and read their limits here: `device.service.connections` (open connections),
`web.request_limits`, `guard`, `guessing`, `rate_limit`, `passes` and `auth`, `web.live` (listening pages), `web.lanes`
(slow reads), and the routes. `web.security.rejection_log` counts and logs rejections.

Rejections for other reasons are elsewhere: a request that is malformed (400, 422), unknown (404, 405), stale (409) or
against the rules of the game, or a full disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

NO_ANSWER = 0
"""In place of a status. The connection is closed, or the pass ends, without an answer."""


@dataclass(frozen=True, slots=True)
class Gate:
    """One reason for rejecting a phone."""

    name: str
    """The reason, for the host. It completes "A phone was turned away: …" and is unique."""
    advice: str
    """The remedy, for the host, without a capital and a period."""
    status: int
    """The HTTP status, or `NO_ANSWER`."""
    sentence: str = ""
    """The sentence for the phone, "" with `NO_ANSWER`. Filled in with `{limit}`, `{wait}` (seconds) and facts."""
    error: str = ""
    """The kind of rejection, for programs."""
    limit: int = 0
    """The number of `unit` that the gate allows; 0 if it counts nothing."""
    unit: str = ""
    """What is counted, or what a gate without a count lets pass. `{span}` is `span_s`."""
    span_s: int = 0
    """The time span of the limit, in seconds; 0 if it has none."""
    retry_s: int = 0
    """The retry delay of a rejected phone, in seconds, if it is constant; 0 if not stated."""


# Connections, before any request -------------------------------------------------------------------------------------

CONNECTIONS_PER_ADDRESS = Gate(
    "too many connections from one address",
    "close pages on that phone or network",
    NO_ANSWER,
    limit=80,  # twice as many as may listen from one address, so that pages can load
    unit="open connections from one address",
)
TOTAL_CONNECTIONS = Gate(
    "too many connections overall",
    "close pages that nobody is watching",
    NO_ANSWER,
    limit=2048,  # half of the files that the program may open
    unit="open connections overall, fewer if the system allows fewer files",
)
UNFINISHED_REQUEST = Gate(
    "its request was not complete in time",
    "bring the phone closer to the Wi-Fi",
    NO_ANSWER,
    limit=10,
    unit="seconds for a connection to send a whole request",
)

# Requests being answered ---------------------------------------------------------------------------------------------

BUSY_SENTENCE = "The table is busy. Try again soon."
"""The sentence of the gates for requests being answered."""

REQUESTS_PER_ADDRESS = Gate(
    "too many requests at once from one address",
    "close pages on that phone or network",
    503,
    BUSY_SENTENCE,
    "full",
    limit=32,
    unit="requests from one address, until the phone has received the answers",
    retry_s=5,
)
TOTAL_REQUESTS = Gate(
    "too many requests at once overall",
    "wait a moment",
    503,
    BUSY_SENTENCE,
    "full",
    limit=128,
    unit="requests overall, until the phones have received the answers",
    retry_s=5,
)
STRANGER_TURN = Gate(
    "too many requests at once from phones that are not signed in",
    "wait a moment",
    503,
    BUSY_SENTENCE,
    "full",
    limit=8,
    unit="answers made at once for phones that are not signed in; others wait up to {span} s for their turn",
    span_s=10,
    retry_s=5,
)
SEAT_TURN = Gate(
    "too many requests at once from the phones of one seat",
    "close pages on the phones of that seat",
    503,
    BUSY_SENTENCE,
    "full",
    limit=4,
    unit="answers made at once for the phones of one seat; others wait up to {span} s for their turn",
    span_s=10,
    retry_s=5,
)
SLOW_DOWNLOAD = Gate(
    "it took too long to receive an answer",
    "bring the phone closer to the Wi-Fi",
    NO_ANSWER,
    limit=60,
    unit="seconds for a phone to receive an answer",
)
SLOW_STREAM = Gate(
    "it read the live game too slowly",
    "bring the phone closer to the Wi-Fi; its page reconnects automatically",
    NO_ANSWER,
    limit=20,
    unit="seconds for a phone to read one frame of a stream",
)

# What a request may look like ----------------------------------------------------------------------------------------

FOREIGN_HOST = Gate(
    "it used a name that is not this table's",
    "open the address on the display, or add the name to names under [web] in the settings",
    421,
    "This table does not go by that name. Open the table by the address on its display,"
    " or have its operator add the name to its settings, as one of the names in [web].",
    "host",
    unit="addresses, localhost, names that end in .local, and the names in the settings",
)
FOREIGN_SITE = Gate(
    "the request came from another site's page",
    "use the table's own pages",
    403,
    "This came from another site.",
    "role",
    unit="changes from the table's own pages, or from no browser at all",
)
LARGE_BODY = Gate(
    "its request is too large",
    "send less at once",
    413,
    "That is too large. The limit is {limit} kB.",
    "large",
    limit=16,
    unit="kB of a request's body",
)
LARGE_UPLOAD = Gate(
    "its upload is too large",
    "split the file",
    413,
    LARGE_BODY.sentence,
    "large",
    limit=512,  # a file of 256 kB, in JSON
    unit="kB of the operator's upload: a deck or fixtures in a file of 256 kB",
)
LARGE_PHOTOGRAPH = Gate(
    "its picture of the dice is too large",
    "set the phone's camera to a smaller picture size",
    413,
    "The picture is too large. The limit is {limit} kB. Set the camera to a smaller picture size, then take it again, "
    "or type the roll.",
    "large",
    limit=10_000,  # a phone's whole picture; most are reduced on the phone to some 400 kB
    unit="kB of a picture of the dice",
)
SLOW_BODY = Gate(
    "its request took too long to arrive",
    "bring the phone closer to the Wi-Fi",
    408,
    "The request took too long.",
    "slow",
    limit=10,
    unit="seconds for a request's body to arrive",
)

SLOW_PHOTOGRAPH = Gate(
    "its picture of the dice took too long to arrive",
    "bring the phone closer to the Wi-Fi",
    408,
    "The picture took too long to arrive. Move closer to the Wi-Fi and send it again, or type the roll.",
    "slow",
    limit=30,
    unit="seconds for a picture of the dice to arrive",
)

# Pages that listen ---------------------------------------------------------------------------------------------------

PAGES_PER_ADDRESS = Gate(
    "too many open pages at one address",
    "close some of them",
    429,
    "Too many pages are open on this phone or network. Close some.",
    "full",
    limit=40,  # a household's whole network may share one address; a single phone has a handful of pages
    unit="pages that listen from one address, the last 2 for signed-in phones",
    retry_s=30,
)
TOTAL_PAGES = Gate(
    "too many open pages overall",
    "close pages that nobody is watching",
    503,
    "Full house. Too many phones are already watching. Try again soon.",
    "full",
    limit=1000,  # more than a room holds, within the memory of a small Pi
    unit="pages that listen, the last 50 for signed-in phones",
    retry_s=30,
)

# Slow reading --------------------------------------------------------------------------------------------------------

READS_PER_ADDRESS = Gate(
    "too many old games or decks read at once from one address",
    "wait a moment",
    503,
    "Too much is being read from here at once. Try again in a moment.",
    "full",
    limit=3,  # a page and what it loads
    unit="old games or decks being read, or waiting, from one address",
    retry_s=5,
)
TOTAL_READS = Gate(
    "too many old games or decks read at once",
    "wait a moment",
    503,
    "Too many people are reading this at once. Try again in a moment.",
    "full",
    limit=12,  # the last one waits some seconds on a small Pi
    unit="old games or decks being read, or waiting, in all; each seat and the operator count apart",
    retry_s=5,
)
BUSY_COACH = Gate(
    "the coach is still thinking about that seat's question",
    "wait a moment",
    503,
    "The coach is already thinking about that. Ask again in a moment.",
    "full",
    limit=1,
    unit="question to the coach at once for each seat",
    retry_s=5,
)

BUSY_PHOTOGRAPH = Gate(
    "its seat's last picture of the dice is still being read",
    "wait a moment",
    503,
    "The last picture is still being read. Send another in a moment.",
    "full",
    limit=1,  # each takes up to 30 MB before it is read
    unit="picture of the dice at once of each seat, and of the operator",
    retry_s=5,
)

# How often something may be changed ----------------------------------------------------------------------------------

SETTING_CHANGES = Gate(
    "settings were changed too often",
    "wait a minute; the last change stays",
    429,
    "Too many changes in a minute. Wait {wait} seconds.",
    "wait",
    limit=20,  # more than trying each setting takes
    unit="changes in a minute of what one seat, or the operator, sets",
    span_s=60,
)
PHOTOGRAPHS = Gate(
    "too many pictures of the dice were sent",
    "wait a minute, or type the roll",
    429,
    "Too many pictures in a minute. Wait {wait} seconds, or type the roll.",
    "wait",
    limit=12,  # more than a person takes, and less than a small Pi can read
    unit="pictures of the dice in a minute from one seat, or the operator",
    span_s=60,
)
SIGN_INS_PER_ADDRESS = Gate(
    "too many phones signed in from one address",
    "wait a minute",
    429,
    "Too many phones signed in from this address in a minute. Wait {wait} seconds.",
    "wait",
    limit=20,  # a large family, and some who type the code twice
    unit="sign-ins from one address in a minute",
    span_s=60,
)
TOTAL_PASSES = Gate(
    "too many phones are signed in: this one was signed out",
    "sign it in again",
    NO_ANSWER,
    limit=200,
    unit="phones that are signed in; of the address with most, the one seen longest ago is signed out",
)

# Codes ---------------------------------------------------------------------------------------------------------------

WRONG_CODE = Gate(
    "it sent a wrong code",
    "type the code that the display shows now",
    403,
    "That is not the code on the display.",
    "code",
    unit="the code on the display",
)
BAD_INVITATION = Gate(
    "it scanned a QR code that was used or is too old",
    "scan the one on the display now",
    403,
    "This QR code was already used or is too old. Scan the one on the display now.",
    "code",
    unit="the display's newest QR code for one phone, once",
)
WRONG_CODES_SENTENCE = (
    "Too many wrong codes. Wait {wait} seconds. "
    "Or sign in without one: press OK while the table’s display shows the code, and scan the QR code. "
    "A display without buttons shows it automatically in a moment. "
    "If you can’t scan it, type the letters below the address."
)
"""Describes the way to sign in that wrong codes never block."""

GUESSES_PER_PHONE = Gate(
    "too many wrong codes from one phone or address",
    "wait a minute, or press OK at the table and scan its QR code",
    429,
    WRONG_CODES_SENTENCE,
    "wait",
    limit=5,
    unit="wrong codes from one signed-in phone or address, before a wait of {span} s, and up to eight times as long",
    span_s=30,
)
GUESSES_BY_STRANGERS = Gate(
    "too many wrong codes from phones that are not signed in",
    "wait a minute, or press OK at the table and scan its QR code",
    429,
    WRONG_CODES_SENTENCE,
    "wait",
    limit=20,  # the rest of TOTAL_GUESSES is for signed-in phones
    unit="wrong codes from all phones that are not signed in, before a wait of {span} s, and up to eight times as long",
    span_s=30,
)
TOTAL_GUESSES = Gate(
    "too many wrong codes from all phones",
    "wait a few minutes, or press OK at the table and scan its QR code",
    429,
    WRONG_CODES_SENTENCE,
    "wait",
    limit=60,
    unit="wrong codes from all phones, before a wait of {span} s, and up to eight times as long",
    span_s=60,
)

# Who may do what -----------------------------------------------------------------------------------------------------

NO_PASS = Gate(
    "it is not signed in",
    "enter the code on the display",
    401,
    "Enter the code on the table's display first.",
    "code",
    unit="signed-in phones",
)
NO_SEAT_PASS = Gate(
    "it looked at a seat's page and is not signed in",
    "take the seat with the code on the display",
    401,
    "Take the seat first.",
    "code",
    unit="signed-in phones, to see as a seat",
)
SIGNED_OUT = Gate(
    "it was signed out",
    "enter the code on the display",
    401,
    "This phone was signed out. To continue, enter the code on the display.",
    "code",
    unit="phones that are still signed in",
)
FREED_SEAT = Gate(
    "its seat was freed by the operator",
    "enter the code on the display",
    401,
    "The operator freed this seat. To take it again, enter the code on the display.",
    "code",
    unit="phones that took their seat since it was freed",
)
SIGNED_OUT_MEANWHILE = Gate(
    "phones were signed out while it signed in",
    "enter the code on the display again",
    403,
    "Phones were just signed out. Enter the code on the display again.",
    "code",
    unit="phones that signed in after others were signed out",
)
OPERATOR_ONLY = Gate(
    "only the operator may do that",
    "sign in at /table",
    403,
    "Only the operator may do that.",
    "role",
    unit="the operator's phones",
)
SEAT_NOT_HELD = Gate(
    "it does not hold that seat",
    "take the seat, or let its phone do that",
    403,
    "This phone does not hold that seat.",
    "seat",
    unit="phones of the seat",
)
NO_SEAT = Gate(
    "it holds no seat",
    "take a seat first",
    403,
    "This phone holds no seat.",
    "seat",
    unit="phones of either seat",
)
EMPTY_SEAT = Gate(
    "this game does not have that seat",
    "take the other seat",
    403,
    "This game has no {seat} seat.",
    "seat",
    unit="seats that the game has",
)
HELD_SEAT = Gate(
    "another phone holds the seat, and must agree itself",
    "let that phone agree",
    403,
    "A phone holds that seat. Only that phone can agree.",
    "seat",
    unit="the operator's agreement for a seat that no phone holds",
)
SECRET_ASK = Gate(
    "a secret choice belongs to the seat's own phone",
    "answer on that phone, or with the buttons",
    403,
    "Make a secret choice on the seat's own phone.",
    "secret",
    unit="secret choices on the seat's own phone",
)
DEMO_ONLY = Gate(
    "virtual devices work only in a demo",
    "use the real dice and buttons",
    403,
    "Virtual devices work only in a demo.",
    "demo",
    unit="virtual dice and buttons in a demo",
)

GATES_BY_NAME: Mapping[str, Gate] = {one.name: one for one in list(globals().values()) if isinstance(one, Gate)}
"""All gates by name, in the order of this module."""
