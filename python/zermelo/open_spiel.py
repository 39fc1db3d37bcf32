"""Games for OpenSpiel.

    import pyspiel, zermelo.open_spiel

    zermelo.open_spiel.register(zermelo.Game.load("breakthrough.kif"), "gdl_breakthrough")
    game = pyspiel.load_game("gdl_breakthrough")

A joint move of GDL becomes a node of the player that has a choice; a simultaneous node if several
have one; and where the role `random` of GDL-II has one, a chance node after those of the players.
Players are the roles in their order, without `random`. Actions are the numbers of Game.moves(role).
Returns are the goal values, 0 in games that end without a terminal state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
import pyspiel

from ._core import Game, NotApplicable, State
from .requests import describe

# For games whose length has no proved bound.
_USUAL_LENGTH = 10_000


@dataclass(frozen=True)
class _Rules:
    """A game and what OpenSpiel wants to know of it beforehand."""

    game: Game
    players: list[int]  # the roles of the players
    type: pyspiel.GameType
    info: pyspiel.GameInfo
    share: float  # of every player in a constant sum, which returns leave out

    @property
    def random(self) -> Optional[int]:
        return self.game.random_role


# By short name.
_registered: dict[str, _Rules] = {}


class _Place:
    """A state of registered rules. OpenSpiel copies and pickles the attributes of its states; this
    one is shared by copies, and pickled by the names of the rules and the key of the state."""

    __slots__ = ("rules", "state")

    def __init__(self, rules: _Rules, state: State):
        self.rules = rules
        self.state = state

    def __deepcopy__(self, memo: dict) -> "_Place":
        return self

    def __reduce__(self):
        return _place_of, (self.rules.type.short_name, self.state.key)


def _place_of(short_name: str, key: bytes) -> _Place:
    rules = _registered[short_name]
    return _Place(rules, State.from_key(rules.game, key))


def _constant_sum(traits: dict[str, Any]) -> Optional[float]:
    proved = traits["constant_sum"]["evidence"] == "proved" and "goal_sum" in traits
    return float(traits["goal_sum"]) if proved else None


def _utility(total: Optional[float]) -> pyspiel.GameType.Utility:
    if total is None:
        return pyspiel.GameType.Utility.GENERAL_SUM
    kinds = pyspiel.GameType.Utility
    return kinds.ZERO_SUM if total == 0 else kinds.CONSTANT_SUM


def _type(
    game: Game, name: str, players: int, turns: bool, total: Optional[float]
) -> pyspiel.GameType:
    kind = pyspiel.GameType
    hidden = game.imperfect_information
    return kind(
        short_name=name,
        long_name=name,
        dynamics=kind.Dynamics.SEQUENTIAL if turns else kind.Dynamics.SIMULTANEOUS,
        chance_mode=kind.ChanceMode.DETERMINISTIC
        if game.random_role is None
        else kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION
        if hidden
        else kind.Information.PERFECT_INFORMATION,
        utility=_utility(total),
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=not hidden,
        provides_factored_observation_string=False,
    )


def _rules(game: Game, name: str, max_game_length: Optional[int], zero_sum: bool) -> _Rules:
    traits = describe(game)["traits"]
    players = [role for role in range(len(game.roles)) if role != game.random_role]
    total = _constant_sum(traits)
    if zero_sum and total is None:
        raise NotApplicable("the game is not proved to have a constant sum of goals")
    share = total / len(players) if zero_sum else 0.0
    values = [value - share for role in players for value in game.goal_values[role]]
    total = 0.0 if zero_sum else total
    info = pyspiel.GameInfo(
        num_distinct_actions=max(len(game.moves(role)) for role in players),
        max_chance_outcomes=0 if game.random_role is None else len(game.moves(game.random_role)),
        num_players=len(players),
        min_utility=float(min([*values, 0])),
        max_utility=float(max([*values, 0])),
        utility_sum=total,
        max_game_length=max_game_length or traits.get("longest_game") or _USUAL_LENGTH,
    )
    turns = traits["turn_taking"]["evidence"] != "refuted"
    return _Rules(game, players, _type(game, name, len(players), turns, total), info, share)


def register(
    game: Game,
    short_name: str,
    *,
    zero_sum: bool = False,
    max_game_length: Optional[int] = None,
) -> pyspiel.GameType:
    """Registers a game, so that pyspiel.load_game(short_name) finds it.

    With `zero_sum`, every player's share of the constant sum of goals is subtracted from its
    return, because many algorithms of OpenSpiel accept only zero-sum games. `max_game_length` (in
    joint moves) is needed only if analysis proves no bound and games may be longer than 10,000.
    """
    rules = _rules(game, short_name, max_game_length, zero_sum)

    class RulesGame(_RulesGame):
        def __init__(self, params: Optional[dict[str, Any]] = None):
            super().__init__(rules, params)

    _registered[short_name] = rules
    pyspiel.register_game(rules.type, RulesGame)
    return rules.type


class _RulesGame(pyspiel.Game):
    def __init__(self, rules: _Rules, params: Optional[dict[str, Any]]):
        super().__init__(rules.type, rules.info, params or {})
        self.rules = rules

    def new_initial_state(self) -> "_RulesState":
        return _RulesState(self)

    def make_py_observer(self, iig_obs_type=None, params=None):
        if params:
            raise ValueError("observers of rules take no parameters")
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return _Observer(self.rules, recall)


class _RulesState(pyspiel.State):
    def __init__(self, game: _RulesGame):
        super().__init__(game)
        self._place = _Place(game.rules, game.rules.game.initial())
        self.chosen: Optional[list[int]] = None  # moves of the players that wait for chance
        # What each player did and saw: all that it knows of the game.
        self.seen: list[list[tuple[str, tuple[str, ...]]]] = [[] for _ in game.rules.players]
        self._find_player()

    @property
    def rules(self) -> _Rules:
        return self._place.rules

    @property
    def state(self) -> State:
        return self._place.state

    def _find_player(self) -> None:
        rules, state = self.rules, self.state
        moves = [state.legal(role) for role in range(len(rules.game.roles))]
        self.moves = moves
        if state.terminal or not all(moves):
            self.player = pyspiel.PlayerId.TERMINAL
            return
        choosing = [p for p, role in enumerate(rules.players) if len(moves[role]) > 1]
        if len(choosing) > 1:
            self.player = pyspiel.PlayerId.SIMULTANEOUS
        elif choosing:
            self.player = choosing[0]
        elif rules.random is not None and len(moves[rules.random]) > 1:
            self._wait_for_chance([legal[0] for legal in moves])
        else:
            turn = state.turn
            self.player = rules.players.index(turn) if turn in rules.players else 0

    def _wait_for_chance(self, joint: list[int]) -> None:
        self.chosen = joint
        self.player = pyspiel.PlayerId.CHANCE

    def _make(self, joint: list[int]) -> None:
        """The players' moves are known; the random role's first one stands for its choice."""
        random = self.rules.random
        if random is not None and self.chosen is None and len(self.moves[random]) > 1:
            self._wait_for_chance(joint)
            return
        if self.rules.game.imperfect_information:
            self._see(joint)
        self._place = _Place(self.rules, self.state.apply(*joint))
        self.chosen = None
        self._find_player()

    def _see(self, joint: list[int]) -> None:
        percepts = self.state.percepts(*joint)
        for player, role in enumerate(self.rules.players):
            move = self.rules.game.moves(role)[joint[role]]
            self.seen[player].append((move, tuple(percepts[role])))

    def current_player(self):
        return self.player

    def _legal_actions(self, player):
        return self.moves[self.rules.players[player]]

    def chance_outcomes(self):
        outcomes = self.moves[self.rules.random]
        return [(outcome, 1.0 / len(outcomes)) for outcome in outcomes]

    def _apply_action(self, action):
        if self.player == pyspiel.PlayerId.CHANCE:
            joint = list(self.chosen)
            joint[self.rules.random] = action
        else:
            joint = [legal[0] for legal in self.moves]
            joint[self.rules.players[self.player]] = action
        self._make(joint)

    def _apply_actions(self, actions):
        joint = [legal[0] for legal in self.moves]
        for role, action in zip(self.rules.players, actions):
            joint[role] = action
        self._make(joint)

    def _action_to_string(self, player, action):
        chance = player == pyspiel.PlayerId.CHANCE
        role = self.rules.random if chance else self.rules.players[player]
        return self.rules.game.moves(role)[action]

    def is_terminal(self):
        return self.player == pyspiel.PlayerId.TERMINAL

    def returns(self):
        rewards = self.state.rewards
        if rewards is None:
            return [0.0] * len(self.rules.players)
        return [rewards[role] - self.rules.share for role in self.rules.players]

    def knowledge(self, player: int) -> str:
        """All that a player of a game with hidden information did and saw."""
        steps = (" ".join((move, "->", *percepts)) for move, percepts in self.seen[player])
        return "; ".join(steps)

    def __str__(self):
        waiting = "" if self.chosen is None else f" waiting for chance {self.chosen}"
        return " ".join(self.state.fluents) + waiting


class _Observer:
    """Observes the whole state, or in games with hidden information what the player saw."""

    def __init__(self, rules: _Rules, perfect_recall: bool):
        self.rules = rules
        self.perfect_recall = perfect_recall
        self.tensor = None
        self.dict = {}
        if not rules.game.imperfect_information and not perfect_recall:
            self.tensor = np.zeros(len(rules.game.fluents), np.float32)
            self.dict = {"fluents": self.tensor}

    def set_from(self, state: _RulesState, player: int) -> None:
        if self.tensor is not None:
            self.tensor[:] = state.state.vector()

    def string_from(self, state: _RulesState, player: int) -> str:
        if self.rules.game.imperfect_information:
            if self.perfect_recall:
                return state.knowledge(player)
            last = state.seen[player][-1:]
            return " ".join(last[0][1]) if last else ""
        if self.perfect_recall:
            return " ".join(map(str, state.history()))
        return " ".join(state.state.fluents)
