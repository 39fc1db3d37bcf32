import pathlib

import pytest

import zermelo

GAMES = pathlib.Path(__file__).resolve().parents[2] / "games"


def load(name):
    return zermelo.Game.load(str(GAMES / f"{name}.kif"))


@pytest.fixture(scope="session")
def tic_tac_toe():
    return load("tic_tac_toe")


@pytest.fixture(scope="session")
def shipped():
    return load
