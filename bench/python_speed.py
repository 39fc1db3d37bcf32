#!/usr/bin/env python3
"""Steps per second from Python: Zermelo against OpenSpiel on the same games in the same run.

Ways of stepping Zermelo are compared with OpenSpiel's Python interface, which plays random games by
legal_actions(), random.choice() and apply_action():

    single    one game, the same calls on zermelo.Cursor
    batch     many games: Batch.sample() and Batch.step() with moves as NumPy arrays, one for the role to move
    masked    the same, but the moves are drawn with NumPy from the masks of legal moves
    playouts  games a second: zermelo.playouts(), with the result of every game in arrays

All figures are per second of processor time, the best of several rounds that take turns, so that other processes
disturb all sides alike. Games agree: the mean lengths of random games are printed and must be close.

Run it with the Python of .venv (scripts/check_python.sh makes it). --strict fails below the ratios that the project
promises: batch 50 times OpenSpiel, single steps as fast, 1,000,000 playouts of tic-tac-toe a second.
"""

import argparse
import pathlib
import random
import sys
import time

import numpy as np
import pyspiel

import zermelo

GAMES = pathlib.Path(__file__).resolve().parents[1] / "games"
COMPARED = {"tic_tac_toe": "tic_tac_toe", "breakthrough": "breakthrough(rows=8,columns=8)"}


class Rate:
    """Work per second of processor time; the best round counts."""

    def __init__(self, play):
        self.play = play  # seconds -> (amount of work, mean length of the games)
        self.best = 0.0
        self.length = 0.0

    def round(self, seconds):
        start = time.process_time()
        work, self.length = self.play(seconds)
        self.best = max(self.best, work / (time.process_time() - start))


def open_spiel(game):
    def play(seconds):
        steps = games = 0
        end = time.process_time() + seconds
        choice = random.choice
        while time.process_time() < end:
            for _ in range(20):
                state = game.new_initial_state()
                while not state.is_terminal():
                    state.apply_action(choice(state.legal_actions()))
                    steps += 1
                state.returns()
            games += 20
        return steps, steps / games

    return play


def single(game):
    def play(seconds):
        steps = games = 0
        end = time.process_time() + seconds
        choice = random.choice
        initial = game.initial()
        while time.process_time() < end:
            for _ in range(20):
                cursor = zermelo.Cursor(initial)
                while not cursor.terminal:
                    cursor.make(choice(cursor.legal()))
                    steps += 1
                cursor.rewards
            games += 20
        return steps, steps / games

    return play


def batched(game, size, choose):
    batch = zermelo.Batch(game, size)

    def play(seconds):
        steps = ended = 0
        end = time.process_time() + seconds
        while time.process_time() < end:
            for _ in range(8):
                _, over = batch.step(choose(batch))
                ended += np.count_nonzero(over)
            steps += 8 * size
        return steps, steps / max(1, ended)

    return play


def masked(batch):
    legal = batch.legal()
    scores = np.random.default_rng().random(legal.shape, np.float32)
    return np.where(legal, scores, -1).argmax(axis=1)


def playouts(game, size):
    def play(seconds):
        games = moves = 0
        end = time.process_time() + seconds
        while time.process_time() < end:
            played = zermelo.playouts(game, size, seed=games + 1)
            games += size
            moves += int(played.lengths.sum())
        return games, moves / games

    return play


def rates(name, other, size):
    game = zermelo.Game.load(str(GAMES / f"{name}.kif"))
    return {
        "OpenSpiel": Rate(open_spiel(pyspiel.load_game(other))),
        "single": Rate(single(game)),
        "batch": Rate(batched(game, size, lambda batch: batch.sample(turns=True))),
        "masked": Rate(batched(game, size, masked)),
        "playouts": Rate(playouts(game, 16 * size)),
    }


def measure(name, other, options):
    measured = rates(name, other, options.batch)
    for rate in measured.values():  # everything is compiled and warm afterwards
        rate.play(options.seconds / 4)
    for _ in range(options.rounds):
        for rate in measured.values():
            rate.round(options.seconds)
    return measured


def show(name, measured):
    base = measured["OpenSpiel"].best
    print(f"{name}\n{'':12}{'per second':>14}{'x OpenSpiel':>13}{'mean length':>13}")
    for title, rate in measured.items():
        ratio = "" if title == "playouts" else f"{rate.best / base:.2f}"
        print(f"{title:12}{rate.best:14,.0f}{ratio:>13}{rate.length:13.2f}")


def failures(results):
    for name, measured in results.items():
        base = measured["OpenSpiel"].best
        if measured["batch"].best < 50 * base:
            yield f"{name}: batch steps are less than 50 times as fast as OpenSpiel's"
        if measured["single"].best < base:
            yield f"{name}: single steps are slower than OpenSpiel's"
        lengths = [measured[title].length for title in ("OpenSpiel", "single", "playouts")]
        if max(lengths) > 1.1 * min(lengths):
            yield f"{name}: the games differ, their mean lengths are {lengths}"
    if results["tic_tac_toe"]["playouts"].best < 1_000_000:
        yield "less than 1,000,000 playouts of tic-tac-toe a second"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.5, help="of a measurement")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--batch", type=int, default=4096, help="games of a batch")
    parser.add_argument("--quick", action="store_true", help="short: some seconds in all")
    parser.add_argument("--strict", action="store_true", help="fail below the promised ratios")
    options = parser.parse_args()
    if options.quick:
        options.seconds, options.rounds = 0.05, 5
    results = {name: measure(name, other, options) for name, other in COMPARED.items()}
    for name, measured in results.items():
        show(name, measured)
    found = list(failures(results)) if options.strict else []
    for failure in found:
        print(failure, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
