"""What the table stores: games, decks, pictures of rolls, and the backups of all of it.

What guards the journal, and against what:

- a power cut, a killed process, a full card: SQLite in WAL mode with full syncs (`database`, `store`); other files are
  written beside the old one, synced and renamed (`atomic_file`).
- a card that fails under a sync: each transaction ends with a change that such a card refuses (`store`).
- a byte that the card changed: a checksum for each answer that covers the one before it (`hash_chain`), checked at the
  start for the game on the table and whenever an old game is listed or read (`game_check`; `game_repair` repairs
  one); SQLite's own `quick_check` for the file.
- an end that is missing without a trace: a note in the lock file says how far the journal goes (`store`).
- a damaged or lost file: one copy, brought up to date within a moment of each change with verified rows only
  (`journal_copy`), from which, with what is left of the journal, a new one is built (`repair`).
- a restore that is cut off, or a backup that is not what it says: one rename puts the restored set in place
  (`backup_switch`), and each file and line of it is read as data (`backup_reader`, `backup_files`, `game_file`).

Modules here import the engine, `device.settings`, `device.named_file`, the names of managers' strengths, and nothing
else of `device`.
"""
