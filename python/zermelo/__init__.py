"""General game playing: games from their rules in the Game Description Language (GDL).

    import zermelo

    game = zermelo.Game.load("games/tic_tac_toe.kif")
    state = game.initial()
    while not state.terminal:
        state = state.apply(state.legal()[0])
    print(state, state.rewards)

    print(zermelo.solve(game).values)                 # [50, 50]: a draw

    batch = zermelo.Batch(game, 10_000)               # many games over NumPy arrays
    rewards, over = batch.step(batch.sample())

`zermelo.open_spiel` and `zermelo.pettingzoo` offer games to these libraries.
"""

from ._core import (
    Batch,
    Cursor,
    Error,
    Game,
    InvalidRequest,
    InvalidRules,
    MemoryLimit,
    NotApplicable,
    State,
    TimeLimit,
    Uct,
    UnreadableInput,
    UnwritableOutput,
    __version__,
    generate,
    plot,
)
from .requests import (
    CountResult,
    Diagnostic,
    Family,
    Layer,
    MoveValue,
    PlayoutStatistics,
    Playouts,
    QueryResult,
    SolveResult,
    ValueCount,
    check,
    count,
    describe,
    families,
    playout_statistics,
    playouts,
    query,
    solve,
    verify,
)

__all__ = [
    "Batch",
    "CountResult",
    "Cursor",
    "Diagnostic",
    "Error",
    "Family",
    "Game",
    "InvalidRequest",
    "InvalidRules",
    "Layer",
    "MemoryLimit",
    "MoveValue",
    "NotApplicable",
    "PlayoutStatistics",
    "Playouts",
    "QueryResult",
    "SolveResult",
    "State",
    "TimeLimit",
    "Uct",
    "UnreadableInput",
    "UnwritableOutput",
    "ValueCount",
    "__version__",
    "check",
    "count",
    "describe",
    "families",
    "generate",
    "playout_statistics",
    "playouts",
    "plot",
    "query",
    "solve",
    "verify",
]
