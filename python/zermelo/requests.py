"""What the commands of the same names answer, as Python objects.

Each result keeps the JSON object of the command in `json`, with all fields that
docs/reference/commands.md lists. Numbers of states are integers here.
"""

from __future__ import annotations

import json as _json
from dataclasses import dataclass, field
from typing import Any, Callable, NamedTuple, Optional, Sequence

import numpy as np

from . import _core
from ._core import Game, State

Progress = Optional[Callable[[str], None]]


def _integer(text: Optional[str]) -> Optional[int]:
    return None if text is None else int(text)


@dataclass(frozen=True)
class Diagnostic:
    """A problem of rules and its place; lines and columns count from 1."""

    severity: str
    code: str
    line: int
    column: int
    message: str


@dataclass(frozen=True)
class Family:
    """A scalable game: generate(name, *sizes)."""

    name: str
    sizes: str
    largest: str
    summary: str


@dataclass(frozen=True)
class ValueCount:
    """The number of states with these values, by role."""

    values: Optional[list[int]]
    states: int


@dataclass(frozen=True)
class MoveValue:
    """A move and what it leads to with best play: the rewards by role, and the moves to the end."""

    role: str
    move: str
    values: Optional[list[int]]
    distance: Optional[int]
    keeps_value: bool
    best: bool


@dataclass(frozen=True)
class SolveResult:
    """The solution of a game. `values` are the rewards by role with best play, or None if play
    never ends. Where roles decide at the same time they are expectations, or None if unknown."""

    roles: list[str]
    values: Optional[list[float]]
    states: Optional[int]
    by_value: list[ValueCount]
    first_moves: list[MoveValue]
    line: list[str]
    distance: Optional[int]
    engine: str
    algorithm: str
    seconds: float
    folder: Optional[str]
    json: dict[str, Any] = field(repr=False)


@dataclass(frozen=True)
class QueryResult:
    """A position of a stored solution."""

    roles: list[str]
    position: list[str]
    terminal: bool
    turn: Optional[str]
    values: Optional[list[float]]
    distance: Optional[int]
    moves: list[MoveValue]
    line: list[str]
    json: dict[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Layer:
    """The states that are reached after as many moves as `layer`, and not earlier."""

    layer: int
    states: int
    terminal: Optional[int]
    nodes: Optional[int]
    seconds: float


@dataclass(frozen=True)
class CountResult:
    """Reachable states by layer. Not `complete` if a limit ended the count."""

    states: int
    complete: bool
    layers: list[Layer]
    engine: str
    seconds: float
    json: dict[str, Any] = field(repr=False)


@dataclass(frozen=True)
class PlayoutStatistics:
    """Random games: their number, mean length and mean rewards."""

    playouts: int
    seconds: float
    playouts_per_second: float
    mean_depth: float
    mean_goals: dict[str, float]
    json: dict[str, Any] = field(repr=False)


class Playouts(NamedTuple):
    """Random games: rewards[game, role] and lengths[game], in joint moves. A length of -1 marks a
    game that was abandoned after 10,000 moves."""

    rewards: np.ndarray
    lengths: np.ndarray


def check(rules: str, name: str = "rules") -> list[Diagnostic]:
    """All errors and warnings of rules; no error means that they are valid."""
    report = _json.loads(_core._check(rules, name))["files"][0]
    names = ("severity", "code", "line", "column", "message")
    return [Diagnostic(**{n: found[n] for n in names}) for found in report["diagnostics"]]


def families() -> list[Family]:
    """The scalable games."""
    return [Family(**family) for family in _json.loads(_core._families())["families"]]


def describe(
    game: Game,
    *,
    conditions: bool = True,
    time: Optional[float] = None,
    memory: Optional[int] = None,
    progress: Progress = None,
) -> dict[str, Any]:
    """The description that the command `info` prints, as its JSON object: traits, mutex groups and
    more. Without `conditions` only what the rules show at once."""
    return _json.loads(_core._describe(game, conditions, time, memory, progress))


def _move_value(move: dict[str, Any]) -> MoveValue:
    return MoveValue(
        role=move["role"],
        move=move["move"],
        values=move["values"],
        distance=move.get("distance"),
        keeps_value=move["keeps_value"],
        best=move["best"],
    )


def solve(
    game: Game,
    folder: Optional[str] = None,
    *,
    model: str = "own",
    engine: str = "auto",
    algorithm: str = "auto",
    threads: Optional[int] = None,
    distances: Optional[bool] = None,
    precision: Optional[float] = None,
    time: Optional[float] = None,
    memory: Optional[int] = None,
    progress: Progress = None,
) -> SolveResult:
    """Computes the value of every reachable state, and stores them in `folder`, for query().

    The options are those of the command `solve`: seconds for `time`, bytes for `memory`.
    `progress` is called with descriptions of the current activity.
    """
    found = _json.loads(
        _core._solve(
            game, folder or "", model, engine, algorithm, threads, distances, precision, time,
            memory, progress,
        )
    )  # fmt: skip
    return SolveResult(
        roles=found["roles"],
        values=found["values"],
        states=_integer(found.get("states")),
        by_value=[
            ValueCount(entry["values"], int(entry["states"])) for entry in found.get("by_value", [])
        ],
        first_moves=[_move_value(move) for move in found.get("first_moves", [])],
        line=found.get("line", []),
        distance=found.get("distance"),
        engine=found["engine"],
        algorithm=found["algorithm"],
        seconds=found["seconds"],
        folder=found["folder"],
        json=found,
    )


def query(
    folder: str, *, moves: Sequence[str] | str | None = None, state: State | None = None
) -> QueryResult:
    """The value of a position of a stored solution and of each of its moves. The position is given
    by the moves that lead to it or as a state; by default it is the initial one."""
    text = moves if moves is None or isinstance(moves, str) else " ".join(moves)
    fluents = None if state is None else " ".join(state.fluents)
    found = _json.loads(_core._query(folder, text, fluents))
    return QueryResult(
        roles=found["roles"],
        position=found["position"],
        terminal=found["terminal"],
        turn=found.get("turn"),
        values=found["values"],
        distance=found.get("distance"),
        moves=[_move_value(move) for move in found.get("moves", [])],
        line=found.get("line", []),
        json=found,
    )


def verify(
    folder: str,
    *,
    sample: Optional[int] = None,
    seed: int = 1,
    time: Optional[float] = None,
    memory: Optional[int] = None,
    progress: Progress = None,
) -> dict[str, Any]:
    """Checks a stored solution against the rules, independently of the solver: `ok`,
    `states_checked`, `failures`."""
    return _json.loads(_core._verify(folder, sample, seed, time, memory, progress))


def count(
    game: Game,
    *,
    engine: str = "auto",
    continue_past_terminal: bool = False,
    folder: Optional[str] = None,
    threads: Optional[int] = None,
    time: Optional[float] = None,
    memory: Optional[int] = None,
    progress: Progress = None,
) -> CountResult:
    """Counts the reachable states, layer by layer."""
    found = _json.loads(
        _core._count(
            game, engine, continue_past_terminal, folder or "", threads, time, memory, progress
        )
    )
    layers = [
        Layer(
            layer=layer["layer"],
            states=int(layer["states"]),
            terminal=_integer(layer["terminal"]),
            nodes=layer["nodes"],
            seconds=layer["seconds"],
        )
        for layer in found["layers"]
    ]
    return CountResult(
        states=int(found["states"]),
        complete=found["complete"],
        layers=layers,
        engine=found["engine"],
        seconds=found["seconds"],
        json=found,
    )


def playouts(game: Game, games: int, *, seed: int = 1, state: State | None = None) -> Playouts:
    """Plays random games from a state (default: the initial one), 256 at a time. The state must be
    reachable."""
    return Playouts(*_core._playouts(game, games, seed, state))


def playout_statistics(
    game: Game,
    *,
    games: Optional[int] = None,
    seconds: Optional[float] = None,
    seed: int = 1,
    threads: Optional[int] = None,
) -> PlayoutStatistics:
    """Plays random games without keeping their results: the fastest way to means. Without `games`
    and `seconds`, for one second; by default on all cores."""
    found = _json.loads(_core._playout_statistics(game, games, seconds, seed, threads))
    names = ("playouts", "seconds", "playouts_per_second", "mean_depth", "mean_goals")
    return PlayoutStatistics(**{name: found[name] for name in names}, json=found)
