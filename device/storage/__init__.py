"""Storage of games, decks, leagues, people, roll pictures and their backups.

Threats to the journal and what protects it:

- power cut, killed process, full card: SQLite in WAL mode with full syncs (`database`, `store`). Other files are
  written under a temporary name, synced and renamed (`atomic_file`).
- card that fails during a sync: each transaction ends with a change that such a card refuses (`store`).
- byte changed by the card: the checksum of each answer covers the one before it (`hash_chain`). It is checked at the
  start for the current game, and whenever an old game is listed or read (`game_check`, repaired by `game_repair`).
  SQLite's own `quick_check` covers the file.
- end missing without a trace: a note in the lock file records how far the journal goes (`store`).
- damaged or lost file: a copy with verified rows only is updated shortly after each change (`journal_copy`). A new
  journal is built from it and what is left of the old one (`repair`).
- interrupted restore, or a backup that is not what it claims: one rename puts the restored files in place
  (`backup_switch`). Each file and line is read as data (`backup_reader`, `backup_files`, `game_file`).

Modules here import the engine, `device.settings`, `device.named_file`, the names of managers' strengths, and nothing
else of `device`.
"""
