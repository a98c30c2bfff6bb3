"""Computer managers: they decide for a seat, from what its phone shows and from the cards that lie open to all.

They live outside the engine, because they need chance and time. A manager receives a `TableView` of its own seat and
returns an answer. It has no table, no journal and no secret of another seat; where it needs a position for the rules'
own functions, it builds one from the view. Only `simulation`, for tests and benchmarks, has tables.
"""
