"""Solving, counting, searching: the answers of the command line."""

import ast
import pathlib
import signal
import subprocess
import sys
import threading
import time

import pytest

import zermelo


def test_a_game_is_solved(tic_tac_toe):
    solved = zermelo.solve(tic_tac_toe)
    assert solved.values == [50, 50] and solved.states == 5478
    assert sum(entry.states for entry in solved.by_value) == 5478
    assert len(solved.first_moves) == 9 and all(move.best for move in solved.first_moves)
    assert solved.json["model"] == "own"


def test_a_stored_solution_is_queried_verified_and_drawn(tic_tac_toe, tmp_path):
    folder = str(tmp_path / "solution")
    solved = zermelo.solve(tic_tac_toe, folder, engine="symbolic", distances=True)
    assert solved.folder == folder
    assert zermelo.query(folder).values == solved.values
    after = zermelo.query(folder, moves=["(mark 1 1)", "(mark 1 2)"])
    assert after.values == [100, 0] and after.turn == "x"
    state = tic_tac_toe.initial().apply("(mark 1 1)").apply("(mark 1 2)")
    same = zermelo.query(folder, state=state)
    assert same.values == after.values and same.position == state.fluents
    best = {move.move for move in after.moves if move.best}
    assert best and all(zermelo.query(folder, state=state.apply(m)).values == [100, 0] for m in best)
    assert zermelo.verify(folder)["ok"]
    assert zermelo.plot(folder, "tic-tac-toe").startswith("<svg")
    with pytest.raises(zermelo.NotApplicable):
        zermelo.query(folder, moves=["(mark 1 1)", "(mark 1 1)"])


def test_values_agree_with_backward_induction(tic_tac_toe):
    """The solver against five lines of Python."""
    known = {}

    def values(state):
        if state.terminal:
            return state.rewards
        if state not in known:
            after = [values(state.apply(move)) for move in state.legal()]
            known[state] = max(after, key=lambda rewards: rewards[state.turn])
        return known[state]

    assert values(tic_tac_toe.initial()) == zermelo.solve(tic_tac_toe).values
    assert len(known) == 5478 - 958


def test_states_are_counted():
    game = zermelo.Game.generate("connect-four", 4, 4)
    counted = zermelo.count(game)
    assert counted.complete and counted.states == 161_029
    assert counted.states == sum(layer.states for layer in counted.layers)
    assert counted.layers[1].states == 4
    assert zermelo.count(game, engine="explicit").states == 161_029


def test_a_description_has_the_traits(tic_tac_toe):
    traits = zermelo.describe(tic_tac_toe)["traits"]
    assert traits["turn_taking"]["evidence"] == "proved" and traits["longest_game"] == 9


def test_uct_finds_the_winning_move(tic_tac_toe):
    state = tic_tac_toe.initial()
    for move in ("(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)"):
        state = state.apply(move)
    search = zermelo.Uct(tic_tac_toe, "variant=st", seed=1)
    report = search.search(state, simulations=2000)
    assert tic_tac_toe.moves(0)[search.best()] == "(mark 1 3)"
    assert report["exact"] == [100, 0]
    assert {entry["move"] for entry in search.moves()} == set(state.legal())
    with pytest.raises(zermelo.InvalidRequest):
        zermelo.Uct(tic_tac_toe, "nonsense=1")


def test_limits_and_wrong_options_are_exceptions(tic_tac_toe):
    large = zermelo.Game.generate("connect-four", 7, 6)
    with pytest.raises(zermelo.TimeLimit):
        zermelo.solve(large, time=0.3)
    with pytest.raises(zermelo.MemoryLimit):
        zermelo.solve(large, memory=1 << 20)
    for options in ({"engine": "quick"}, {"model": "mine"}, {"algorithm": "magic"}):
        with pytest.raises(zermelo.InvalidRequest):
            zermelo.solve(tic_tac_toe, **options)


def test_progress_is_reported_and_may_raise():
    game = zermelo.Game.generate("connect-four", 7, 6)
    reports = []
    with pytest.raises(zermelo.TimeLimit):
        zermelo.solve(game, time=1, progress=reports.append)
    assert reports and all(isinstance(report, str) for report in reports)

    def refuse(report):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        zermelo.solve(game, time=60, progress=refuse)


def test_other_threads_run_during_a_long_call():
    game = zermelo.Game.generate("connect-four", 7, 6)
    ticks = []

    def tick():
        while not done.wait(0.01):
            ticks.append(time.monotonic())

    done = threading.Event()
    thread = threading.Thread(target=tick)
    thread.start()
    with pytest.raises(zermelo.TimeLimit):
        zermelo.solve(game, time=0.5, threads=1)
    done.set()
    thread.join()
    assert len(ticks) > 5


def test_ctrl_c_ends_a_long_call():
    code = (
        "import zermelo\n"
        "game = zermelo.Game.generate('connect-four', 7, 6)\n"
        "print('ready', flush=True)\n"
        "try:\n    zermelo.solve(game, time=100)\n"
        "except KeyboardInterrupt:\n    print('interrupted')\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=60)[0]
    assert output == "interrupted\n" and process.returncode == 0
    assert time.monotonic() - start < 30


def test_the_stubs_have_what_the_module_has():
    package = pathlib.Path(zermelo.__file__).parent
    assert (package / "py.typed").exists()
    tree = ast.parse((package / "_core.pyi").read_text())
    defined = {n.name: n for n in tree.body if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
    for name, value in vars(zermelo._core).items():
        if name.startswith("__"):
            continue
        assert name in defined, name
        if isinstance(value, type) and not issubclass(value, Exception):
            stubs = {n.name for n in defined[name].body if isinstance(n, ast.FunctionDef)}
            members = {m for m in vars(value) if not m.startswith("_")}
            assert members <= stubs, (name, members - stubs)
            assert {s for s in stubs if not s.startswith("_")} <= members, name


def test_everything_public_has_a_docstring():
    for name in zermelo.__all__:
        value = getattr(zermelo, name)
        if name.startswith("__") or not callable(value):
            continue
        assert value.__doc__, name
        if isinstance(value, type) and value.__module__.endswith("_core"):
            for member, function in vars(value).items():
                if not member.startswith("_") and member != "game":
                    assert function.__doc__, (name, member)


def test_a_tree_is_searched_by_one_thread():
    game = zermelo.Game.generate("connect-four", 7, 6)
    search = zermelo.Uct(game)
    with pytest.raises(zermelo.InvalidRequest, match="search a state first"):
        search.best()
    thread = threading.Thread(target=search.search, args=(game.initial(),), kwargs={"seconds": 1})
    thread.start()
    time.sleep(0.3)
    with pytest.raises(zermelo.InvalidRequest, match="another thread"):
        search.moves()
    thread.join()
    assert sum(entry["visits"] for entry in search.moves()) > 0
