"""The adapters against the test suites of the libraries that they adapt to."""

import random
import warnings

import numpy as np
import pytest

import zermelo

NAMES = {
    "tic_tac_toe": "tic_tac_toe",
    "breakthrough": "breakthrough",
    "rock_paper_scissors": "rock_paper_scissors",
    "goofspiel": "goofspiel",
    "three_player_nim": "three_player_nim",
    "kuhn_poker": "hidden/kuhn_poker",
    "monty_hall": "hidden/monty_hall",
    "pancakes": "pancakes",
}


@pytest.fixture(scope="session")
def open_spiel_games(shipped):
    pyspiel = pytest.importorskip("pyspiel")
    import zermelo.open_spiel as adapter

    games = {}
    for name, file in NAMES.items():
        adapter.register(shipped(file), "gdl_" + name)
        games[name] = pyspiel.load_game("gdl_" + name)
    return games


@pytest.mark.parametrize("name", NAMES)
def test_open_spiel_simulates_games(open_spiel_games, name):
    import pyspiel

    pyspiel.random_sim_test(open_spiel_games[name], num_sims=10, serialize=True, verbose=False)


def test_open_spiel_types(open_spiel_games):
    import pyspiel

    kinds = pyspiel.GameType
    ours = {name: game.get_type() for name, game in open_spiel_games.items()}
    assert ours["tic_tac_toe"].dynamics == kinds.Dynamics.SEQUENTIAL
    assert ours["rock_paper_scissors"].dynamics == kinds.Dynamics.SIMULTANEOUS
    assert ours["kuhn_poker"].chance_mode == kinds.ChanceMode.EXPLICIT_STOCHASTIC
    assert ours["kuhn_poker"].information == kinds.Information.IMPERFECT_INFORMATION
    assert ours["tic_tac_toe"].utility == kinds.Utility.CONSTANT_SUM
    assert open_spiel_games["three_player_nim"].num_players() == 3
    assert open_spiel_games["kuhn_poker"].num_players() == 2


def values_by_expectimax(state):
    """The values for both players by the tree alone, for small games of perfect information."""
    import pyspiel

    if state.is_terminal():
        return state.returns()
    player = state.current_player()
    after = [values_by_expectimax(state.child(action)) for action in state.legal_actions()]
    assert player != pyspiel.PlayerId.CHANCE
    return max(after, key=lambda values: values[player])


def test_open_spiel_solves_a_game_to_the_same_value():
    from open_spiel.python.algorithms import minimax
    import pyspiel
    import zermelo.open_spiel as adapter

    small = zermelo.Game.generate("connect-four", 3, 3, 3)
    values = zermelo.solve(small).values
    adapter.register(small, "gdl_connect_three")
    ours = pyspiel.load_game("gdl_connect_three")
    assert values_by_expectimax(ours.new_initial_state()) == values
    adapter.register(small, "gdl_connect_three_zero_sum", zero_sum=True)
    value, _ = minimax.alpha_beta_search(pyspiel.load_game("gdl_connect_three_zero_sum"))
    assert value == values[0] - 50


def test_open_spiel_trains_on_hidden_information(shipped):
    """Counterfactual regret minimisation of OpenSpiel on rules in GDL-II, against our solver."""
    from open_spiel.python.algorithms import cfr, expected_game_score
    import pyspiel
    import zermelo.open_spiel as adapter

    rules = shipped("hidden/kuhn_poker")
    adapter.register(rules, "gdl_kuhn_zero_sum", zero_sum=True)
    game = pyspiel.load_game("gdl_kuhn_zero_sum")
    solver = cfr.CFRSolver(game)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    values = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    difference = zermelo.solve(rules, model="difference").values[0]
    assert values[0] - values[1] == pytest.approx(difference, abs=0.2)


def test_zero_sum_needs_a_constant_sum(shipped):
    import zermelo.open_spiel as adapter

    with pytest.raises(zermelo.NotApplicable):
        adapter.register(shipped("pancakes"), "gdl_pancakes_zero_sum", zero_sum=True)


def test_our_tic_tac_toe_is_that_of_open_spiel(open_spiel_games):
    import pyspiel

    theirs = pyspiel.load_game("tic_tac_toe")
    chance = random.Random(3)
    for _ in range(50):
        mine, other = open_spiel_games["tic_tac_toe"].new_initial_state(), theirs.new_initial_state()
        while not other.is_terminal():
            assert mine.current_player() == other.current_player()
            assert mine.legal_actions() == other.legal_actions()
            action = chance.choice(other.legal_actions())
            mine.apply_action(action)
            other.apply_action(action)
        assert mine.is_terminal()
        assert [value / 50 - 1 for value in mine.returns()] == other.returns()


@pytest.mark.parametrize("name", [*NAMES.values(), "hidden/meier"])
def test_pettingzoo_accepts_the_environment(shipped, name):
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    import zermelo.pettingzoo

    game = shipped(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about names of agents and shapes that depend on the game
        api_test(zermelo.pettingzoo.env(game), num_cycles=200)
        seed_test(lambda: zermelo.pettingzoo.env(game), num_cycles=30)


def test_pettingzoo_rewards_are_those_of_the_game(shipped):
    pytest.importorskip("pettingzoo")
    import zermelo.pettingzoo

    game = shipped("tic_tac_toe")
    env = zermelo.pettingzoo.env(game)
    for seed in range(30):
        env.reset(seed=seed)
        chance, state, rewards = np.random.default_rng(seed), game.initial(), {}
        for agent in env.agent_iter():
            observation, reward, over, _, _ = env.last()
            if over:
                rewards[agent] = reward
                env.step(None)
                continue
            assert game.roles[state.turn] == agent
            assert (observation["observation"] == state.vector()).all()
            move = int(chance.choice(np.flatnonzero(observation["action_mask"])))
            env.step(move)
            state = state.apply(move)
        assert state.terminal and [rewards[role] for role in game.roles] == state.rewards


def test_pettingzoo_refuses_illegal_moves_and_truncates(shipped):
    pytest.importorskip("pettingzoo")
    import zermelo.pettingzoo

    env = zermelo.pettingzoo.env(shipped("tic_tac_toe"), max_moves=2, render_mode="ansi")
    env.reset()
    with pytest.raises(zermelo.InvalidRequest):
        env.step(9)
    env.step(0)
    env.step(3)
    assert all(env.truncations.values()) and not any(env.terminations.values())
    assert "x" in env.render()


def test_the_package_does_not_import_the_libraries():
    import subprocess
    import sys

    code = "import sys, zermelo; print(*{'pyspiel', 'pettingzoo', 'gymnasium'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""
