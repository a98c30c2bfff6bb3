"""Computer managers: they decide for a seat, from what its phone shows and from the cards that lie open to all.

They live outside the engine, because they need chance and time. Nobody here has a table, a state or a secret of another
seat: a manager receives a `TableView` of its own seat and returns an answer.
"""
