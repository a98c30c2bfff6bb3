"""The end of a journal: what is being written is not cut off."""

from __future__ import annotations

import threading
from pathlib import Path

from device.storage.store import Store


def test_closing_waits_for_what_is_being_written(tmp_path: Path) -> None:
    """Another thread's answer is whole before the file is closed."""
    store = Store(tmp_path / "journal.db")
    with store._write():
        closing = threading.Thread(target=store.close)
        closing.start()
        closing.join(0.05)
        assert closing.is_alive()
        assert store._db.in_transaction
    closing.join(20)
    assert not closing.is_alive()
