"""Batches and random games over arrays, against single states."""

import numpy as np
import pytest

import zermelo


def expected_ends(games, steps):
    """How many games of tic-tac-toe end in so many random steps: a renewal process. Games have 7.63
    moves on average with a variance of 1.69, and the last game of each lane is unfinished."""
    return games * (steps / 7.6276 + (1.69 + 7.6276 - 7.6276**2) / (2 * 7.6276**2))


def step_alone(states, moves):
    """The twin of Batch.step with restart, on joint moves."""
    roles = moves.shape[1]
    rewards, over = np.zeros(moves.shape, int), np.zeros(len(states), bool)
    for i, state in enumerate(states):
        joint = [m if m >= 0 else state.legal(r)[0] for r, m in enumerate(moves[i])]
        states[i] = state.apply(*joint)
        if states[i].terminal:
            rewards[i], over[i] = states[i].rewards, True
            states[i] = state.game.initial()
    assert rewards.shape[1] == roles
    return rewards, over


@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "connect_four", "rock_paper_scissors", "three_player_nim"]
)
def test_a_batch_agrees_with_single_states(shipped, name):
    game = shipped(name)
    batch = zermelo.Batch(game, 300, seed=3)
    states = [game.initial() for _ in range(300)]
    for _ in range(25):
        for role in range(len(game.roles)):
            legal = batch.legal(role)
            assert legal.dtype == bool
            for i in (0, 17, 255, 256, 299):
                assert np.flatnonzero(legal[i]).tolist() == states[i].legal(role)
        assert batch.turns().tolist() == [-1 if s.turn is None else s.turn for s in states]
        moves = batch.sample()
        rewards, over = batch.step(moves)
        expected = step_alone(states, moves)
        assert (rewards == expected[0]).all() and (over == expected[1]).all()
        assert all(batch.state(i) == states[i] for i in range(0, 300, 7))
        assert (batch.fluents()[299] == states[299].vector()).all()


def test_moves_of_the_role_to_move_are_enough(tic_tac_toe):
    batch = zermelo.Batch(tic_tac_toe, 1000)
    chance = np.random.default_rng(1)
    ended = 0
    for _ in range(40):
        scores = chance.random((1000, 10))
        moves = np.where(batch.legal(), scores, -1.0).argmax(axis=1)
        ended += batch.step(moves)[1].sum()
    assert abs(ended - expected_ends(1000, 40)) < 60


def test_games_that_end_may_stay(tic_tac_toe):
    batch = zermelo.Batch(tic_tac_toe, 100, restart=False)
    total = np.zeros((100, 2), int)
    for _ in range(9):
        rewards, over = batch.step(batch.sample())
        total += rewards
    assert over.all() and (total.sum(axis=1) == 100).all()
    assert (batch.turns() == -1).all() and not batch.legal().any()
    batch.reset(np.arange(100) % 2 == 0)
    assert batch.over().sum() == 50
    assert batch.state(2) == tic_tac_toe.initial() and batch.state(1).terminal


def test_illegal_moves_change_nothing(tic_tac_toe):
    batch = zermelo.Batch(tic_tac_toe, 600)
    moves = np.zeros(600, int)
    moves[333] = 9
    with pytest.raises(zermelo.InvalidRequest, match="game 333.*not a legal move of x"):
        batch.step(moves)
    assert all(batch.state(i) == tic_tac_toe.initial() for i in (0, 333, 599))
    for wrong in (2**40, -(2**31) - 1, 10, -2):
        moves[333] = wrong
        with pytest.raises(zermelo.InvalidRequest, match="game 333"):
            batch.step(moves)
    with pytest.raises(zermelo.InvalidRequest, match="integers"):
        batch.step(np.zeros(600))
    for wrong in (np.zeros(5, int), np.zeros((600, 3), int), np.zeros((600, 2, 1), int)):
        with pytest.raises(zermelo.InvalidRequest, match="shape"):
            batch.step(wrong)


def test_a_batch_must_fit_into_the_memory(tic_tac_toe):
    with pytest.raises(zermelo.MemoryLimit):
        zermelo.Batch(tic_tac_toe, 10**12)
    for wrong in (0, -5):
        with pytest.raises(zermelo.InvalidRequest):
            zermelo.Batch(tic_tac_toe, wrong)


def test_states_go_in_and_out_of_a_batch(tic_tac_toe, shipped):
    batch = zermelo.Batch(tic_tac_toe, 3)
    state = tic_tac_toe.initial().apply(0).apply(3)
    batch.set_state(1, state)
    assert batch.state(1) == state and batch.state(0) == tic_tac_toe.initial()
    with pytest.raises(IndexError):
        batch.state(3)
    with pytest.raises(zermelo.InvalidRequest):
        batch.set_state(0, shipped("nim").initial())


def test_random_play_inside_a_batch(tic_tac_toe):
    ended, rewards = zermelo.Batch(tic_tac_toe, 5000, seed=2).play(100)
    assert abs(ended - expected_ends(5000, 100)) < 400
    assert sum(rewards) == 100 * ended
    assert abs(rewards[0] / ended - 64.8) < 1


def test_playouts_give_each_game(tic_tac_toe):
    rewards, lengths = zermelo.playouts(tic_tac_toe, 20_000, seed=5)
    assert rewards.shape == (20_000, 2) and lengths.shape == (20_000,)
    assert (rewards.sum(axis=1) == 100).all()
    assert lengths.min() >= 5 and lengths.max() <= 9
    assert abs(lengths.mean() - 7.63) < 0.05 and abs(rewards[:, 0].mean() - 64.8) < 1.5
    again = zermelo.playouts(tic_tac_toe, 20_000, seed=5)
    assert (again.rewards == rewards).all() and (again.lengths == lengths).all()


def test_playouts_from_a_state(tic_tac_toe):
    state = tic_tac_toe.initial()
    for move in ("(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)"):
        state = state.apply(move)
    played = zermelo.playouts(tic_tac_toe, 10_000, state=state)
    assert played.lengths.min() == 1 and played.lengths.max() == 5
    # Five cells are left, and one of them wins at once for x.
    assert abs((played.lengths == 1).mean() - 0.2) < 0.02
    end = state.apply("(mark 1 3)")
    assert (zermelo.playouts(tic_tac_toe, 10, state=end).lengths == 0).all()


def test_playout_statistics(tic_tac_toe):
    statistics = zermelo.playout_statistics(tic_tac_toe, games=100_000, threads=1)
    assert statistics.playouts >= 100_000
    assert abs(statistics.mean_depth - 7.63) < 0.05
    assert set(statistics.mean_goals) == {"x", "o"}
