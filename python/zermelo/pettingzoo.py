"""Games as environments of PettingZoo (AEC: one agent acts at a time).

    env = zermelo.pettingzoo.env(zermelo.Game.load("tic_tac_toe.kif"))
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        over = termination or truncation
        mask = observation["action_mask"]
        env.step(None if over else env.action_space(agent).sample(mask))

Agents are the roles, without `random` of GDL-II, for which the environment draws. An agent acts if
it has a choice. Where several have one, they act one after the other, and none of their moves is
made before all are known. Rewards are the goal values, at the end. An agent observes all fluents;
in a game with hidden information, what it saw after the last joint move.
"""

from __future__ import annotations

from typing import Any, Optional

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from ._core import Game, InvalidRequest, State


class RulesEnv(AECEnv):
    """A game as an environment. `max_moves` truncates longer games (joint moves)."""

    def __init__(
        self, game: Game, *, render_mode: Optional[str] = None, max_moves: Optional[int] = None
    ):
        super().__init__()
        self.metadata = {
            "render_modes": ["ansi", "human"],
            "name": "zermelo_v0",
            "is_parallelizable": False,
        }
        self.game = game
        self.render_mode = render_mode
        self.max_moves = max_moves
        self.roles = {
            name: role for role, name in enumerate(game.roles) if role != game.random_role
        }
        self.possible_agents = list(self.roles)
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(len(game.moves(role)))
            for agent, role in self.roles.items()
        }
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": self._flags(len(self._observable(role))),
                    "action_mask": self._flags(len(game.moves(role))),
                }
            )
            for agent, role in self.roles.items()
        }
        self._random = np.random.default_rng()

    @staticmethod
    def _flags(size: int) -> gymnasium.spaces.Box:
        return gymnasium.spaces.Box(0, 1, (max(1, size),), np.int8)

    def _observable(self, role: int) -> list[str]:
        if self.game.imperfect_information:
            return self.game.percepts(role)
        return self.game.fluents

    def observation_space(self, agent: str) -> gymnasium.spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> None:
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.moves_made = 0
        self._percepts: list[list[str]] = [[] for _ in self.game.roles]
        self._enter(self.game.initial())

    def _enter(self, state: State) -> None:
        """Goes to a state and finds out who acts in it."""
        self.state_of_game = state
        self._legal = [state.legal(role) for role in range(len(self.game.roles))]
        self._chosen: dict[int, int] = {}
        if state.terminal or not all(self._legal):
            self._waiting = []
            self._end(state.rewards)
            return
        self._waiting = [a for a, role in self.roles.items() if len(self._legal[role]) > 1]
        if not self._waiting:
            turn = state.turn
            first = self.game.roles[turn] if turn is not None else self.possible_agents[0]
            self._waiting = [first if first in self.roles else self.possible_agents[0]]
        if self.max_moves is not None and self.moves_made >= self.max_moves:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._waiting[0]

    def _end(self, rewards: Optional[list[int]]) -> None:
        self.terminations = dict.fromkeys(self.agents, True)
        if rewards is not None:
            self.rewards = {agent: rewards[self.roles[agent]] for agent in self.agents}
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        role = self.roles[agent]
        space = self.observation_spaces[agent]
        mask = np.zeros(space["action_mask"].shape, np.int8)
        if agent in self._waiting and role not in self._chosen:
            mask[self._legal[role]] = 1
        if self.game.imperfect_information:
            observation = np.zeros(space["observation"].shape, np.int8)
            for number, percept in enumerate(self.game.percepts(role)):
                observation[number] = percept in self._percepts[role]
        else:
            observation = self.state_of_game.vector().astype(np.int8)
        return {"observation": observation, "action_mask": mask}

    def step(self, action: Optional[int]) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        role = self.roles[agent]
        if action is None or int(action) not in self._legal[role]:
            raise InvalidRequest(f"{action} is not a legal move of {agent}")
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self._chosen[role] = int(action)
        if len(self._chosen) < len(self._waiting):
            self.agent_selection = self._waiting[len(self._chosen)]
        else:
            self._make_moves()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _make_moves(self) -> None:
        joint = [self._chosen.get(role, legal[0]) for role, legal in enumerate(self._legal)]
        chance = self.game.random_role
        if chance is not None:
            joint[chance] = int(self._random.choice(self._legal[chance]))
        if self.game.imperfect_information:
            self._percepts = self.state_of_game.percepts(*joint)
        self.moves_made += 1
        self._enter(self.state_of_game.apply(*joint))

    def render(self) -> Optional[str]:
        text = str(self.state_of_game)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing is held open."""


def env(game: Game, **options: Any) -> RulesEnv:
    """The environment of a game; the options are those of RulesEnv."""
    return RulesEnv(game, **options)
