"""Computer managers, which decide for a seat from its own view and the public cards.

They are outside the engine because they need randomness and time. A manager receives the `TableView` of its seat and
returns an answer. It has no table, no journal and no secret of another seat. Where the rules' functions need a state,
it builds one from the view. Only `simulation`, for tests and benchmarks, has tables.
"""
