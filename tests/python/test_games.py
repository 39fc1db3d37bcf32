"""Rules, games and states."""

import copy
import pickle
import random

import numpy as np
import pytest

import zermelo


def test_a_game_knows_its_roles_moves_and_fluents(tic_tac_toe):
    assert tic_tac_toe.roles == ["x", "o"]
    assert len(tic_tac_toe.moves(0)) == 10
    assert "(mark 2 2)" in tic_tac_toe.moves(1)
    assert "(cell 1 1 b)" in tic_tac_toe.fluents
    assert tic_tac_toe.goal_values == [[0, 50, 100], [0, 50, 100]]
    assert tic_tac_toe.random_role is None
    assert not tic_tac_toe.imperfect_information


def test_rules_are_read_from_text_in_both_syntaxes(tic_tac_toe):
    for text in (tic_tac_toe.rules, tic_tac_toe.infix):
        again = zermelo.Game(text)
        assert again.rules == tic_tac_toe.rules


def test_families_are_generated():
    assert any(family.name == "connect-four" for family in zermelo.families())
    game = zermelo.Game.generate("connect-four", 4, 4)
    assert len(game.initial().legal()) == 4
    assert zermelo.Game(zermelo.generate("connect-four", "4", 4)).rules == game.rules
    with pytest.raises(zermelo.InvalidRequest, match="connect-four"):
        zermelo.generate("connect-fou")


def test_all_errors_of_rules_are_located():
    text = "(role a) (legal a m)\n(<= terminal (p ?x)) (<= (goal a ?y) (true f))"
    with pytest.raises(zermelo.InvalidRules, match=r"rules:2:\d+: error: .*\n"):
        zermelo.Game(text)
    found = [problem for problem in zermelo.check(text, "mine") if problem.severity == "error"]
    assert found and all(problem.line == 2 for problem in found)
    warnings = zermelo.check("(role a) (legal a m) terminal (goal a 100)")
    assert warnings and all(problem.severity == "warning" for problem in warnings)


def test_exceptions_are_also_those_of_python(tmp_path):
    with pytest.raises(OSError):
        zermelo.Game.load(str(tmp_path / "nothing.kif"))
    with pytest.raises(ValueError):
        zermelo.Game("(role")
    assert issubclass(zermelo.TimeLimit, TimeoutError)
    assert issubclass(zermelo.MemoryLimit, MemoryError)
    assert issubclass(zermelo.NotApplicable, zermelo.Error)


def test_a_game_is_played(tic_tac_toe):
    state = tic_tac_toe.initial()
    assert state.turn == 0 and not state.terminal and state.rewards is None
    assert len(state.legal()) == 9 and len(state.legal(1)) == 1
    for move in ("(mark 1 1)", "mark(2, 1)", "(MARK 1 2)", "(mark 2 2)", "(mark 1 3)"):
        state = state.apply(move)
    assert state.terminal and state.turn is None and state.legal() == []
    assert state.rewards == [100, 0]


def test_moves_are_given_by_number_by_name_or_for_all_roles(tic_tac_toe):
    start = tic_tac_toe.initial()
    number = tic_tac_toe.moves(0).index("(mark 2 2)")
    noop = tic_tac_toe.moves(1).index("noop")
    expected = start.apply("(mark 2 2)")
    assert start.apply(number) == expected
    assert start.apply(np.int64(number)) == expected
    assert start.apply(number, noop) == expected
    assert start.apply("(mark 2 2)", "noop") == expected


@pytest.mark.parametrize("moves", [(99,), (-1,), (10**30,), ("nothing",), (0, 0), (), (0, 0, 0), ("noop",)])
def test_moves_that_are_not_legal_are_refused(tic_tac_toe, moves):
    with pytest.raises(zermelo.InvalidRequest):
        tic_tac_toe.initial().apply(*moves)


def test_states_are_values(tic_tac_toe):
    start = tic_tac_toe.initial()
    one = start.apply("(mark 1 1)").apply("(mark 3 3)").apply("(mark 2 2)")
    other = start.apply("(mark 2 2)").apply("(mark 3 3)").apply("(mark 1 1)")
    assert one == other and hash(one) == hash(other) and one.key == other.key
    assert one != start and len({start, one, other}) == 2
    assert start == tic_tac_toe.initial(), "apply() must not change the state"
    assert zermelo.State(tic_tac_toe, one.fluents) == one
    assert zermelo.State.from_key(tic_tac_toe, one.key) == one
    assert copy.deepcopy(one) == one
    assert one.vector().sum() == len(one.fluents)


def test_games_and_states_are_pickled(tic_tac_toe):
    state = tic_tac_toe.initial().apply(0)
    again = pickle.loads(pickle.dumps(state))
    assert again.fluents == state.fluents and again.game.roles == tic_tac_toe.roles


def test_many_states_of_a_game_are_alive_at_once(tic_tac_toe):
    """They share one position; each must show its own moves."""
    states, moves = [tic_tac_toe.initial()], []
    for state in states:
        moves.append(state.legal())
        if len(states) < 300:
            states.extend(state.apply(move) for move in state.legal())
    for state, legal in random.Random(1).sample(list(zip(states, moves)), 200):
        assert state.legal() == legal
        assert zermelo.State(tic_tac_toe, state.fluents).legal() == legal


def test_a_cursor_agrees_with_states(shipped):
    """On several games: random play on both, and all moves taken back."""
    chance = random.Random(7)
    for name in ("tic_tac_toe", "breakthrough", "three_player_nim", "rock_paper_scissors"):
        game = shipped(name)
        for _ in range(20):
            states = [game.initial()]
            cursor = zermelo.Cursor(states[0])
            while not states[-1].terminal:
                state = states[-1]
                roles = range(len(game.roles))
                assert [cursor.legal(role) for role in roles] == [state.legal(r) for r in roles]
                assert cursor.turn == state.turn and not cursor.terminal
                joint = [chance.choice(state.legal(role)) for role in roles]
                states.append(state.apply(*joint))
                cursor.make(*joint)
                assert cursor.state == states[-1]
            assert cursor.terminal and cursor.rewards == states[-1].rewards
            for state in reversed(states[:-1]):
                cursor.unmake()
                assert cursor.state == state
            with pytest.raises(zermelo.InvalidRequest):
                cursor.unmake()


def test_simultaneous_moves(shipped):
    game = shipped("rock_paper_scissors")
    start = game.initial()
    assert start.turn is None
    with pytest.raises(zermelo.InvalidRequest, match="at once"):
        start.apply(0)
    with pytest.raises(zermelo.InvalidRequest, match="at once"):
        start.legal()
    assert not start.apply(0, 1) == start


def test_pictures(tic_tac_toe):
    state = tic_tac_toe.initial().apply("(mark 1 1)")
    assert "x" in str(state) and str(state).startswith("3 . . .")
    assert state.svg().startswith("<svg")


def test_hidden_information(shipped):
    game = shipped("hidden/monty_hall")
    assert game.imperfect_information
    assert game.roles[game.random_role] == "random"
    state, seen = game.initial(), []
    while not state.terminal:
        joint = [state.legal(role)[0] for role in range(len(game.roles))]
        percepts = state.percepts(*joint)
        for role, names in enumerate(percepts):
            assert set(names) <= set(game.percepts(role))
        seen += percepts[1 - game.random_role]
        state = state.apply(*joint)
    assert seen
