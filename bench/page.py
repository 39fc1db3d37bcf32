#!/usr/bin/env python3
"""How fast `zermelo serve` answers: ZERMELO=path bench/page.py [--strict]

Prints the 95th percentile of position requests on a solved game, of checking a rulesheet of 500 lines, and of
position requests of 50 visitors at once, each in a game of its own, while another game is being solved; how long
the server takes to end during a search; and the size of the page, compressed. Every figure has a limit that an idle
machine must respect: with --strict the exit code is 1 if one does not.
"""

import concurrent.futures
import gzip
import http.client
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
VISITORS, TURNS = 50, 20
# Besides the shipped games, so that every visitor has another one.
GENERATED = ["breakthrough 5 5", "chomp 5 4", "clobber 4 4", "connect-four 6 5", "goofspiel 5", "hanoi 4 3",
             "knights-tour 5 5", "lights-out 4 4", "nim 3 4 5", "optimistic 2", "pancakes 6", "peg triangle 5",
             "penalties 3 4", "progression 2 5", "punishment 3 4", "queens 6", "shock-step 3 4", "tic-tac-toe 4 4 3"]
exceeded = []  # names of figures beyond their limits


class Client:
    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.times = []

    def send(self, method, path, body=None):
        begin = time.perf_counter()
        self.connection.request(method, "/api/v1" + path, None if body is None else json.dumps(body))
        response = self.connection.getresponse()
        text = response.read()
        self.times.append(time.perf_counter() - begin)
        if response.status != 200:
            raise SystemExit(f"{path}: {response.status} {text[:200]}")
        return json.loads(text)

    def play(self, game, turns, seed):
        """Random games; returns the times of the position requests."""
        chance = random.Random(seed)
        steps, times = [], []
        for _ in range(turns):
            here = self.send("POST", f"/games/{game}/position", {"steps": steps})
            times.append(self.times[-1])
            if here["terminal"]:
                steps = []
                continue
            moves = {}
            for role in here["deciding"]:
                moves[role] = chance.choice([m["move"] for m in here["moves"] if m["role"] == role])
            steps = self.send("POST", f"/games/{game}/apply", {"steps": steps, "moves": moves})["history"]
        return times


def solve(client, game):
    job = client.send("POST", f"/games/{game}/solve", {})
    while job["state"] in ("queued", "running"):
        time.sleep(0.1)
        job = client.send("GET", f"/jobs/{job['id']}")
    return job["state"]


def hold(name, value, limit, unit):
    """Prints a figure with its limit."""
    if value > limit:
        exceeded.append(name)
    print(f"{name}: {value:.1f} {unit}, limit {limit} {unit}{' EXCEEDED' if value > limit else ''}")


def show(name, times, limit=None):
    times = sorted(times)
    at = lambda share: 1000 * times[min(len(times) - 1, int(len(times) * share))]
    print(f"{name}: median {at(0.5):.1f} ms, 95th percentile {at(0.95):.1f} ms, {len(times)} requests")
    if limit is not None:
        hold("  95th percentile", at(0.95), limit, "ms")


def games_of_visitors(client):
    games = [entry["id"] for entry in client.send("GET", "/games")["games"]]
    for family, *sizes in map(str.split, GENERATED):
        games.append(client.send("POST", "/generate", {"family": family, "sizes": sizes})["id"])
    games = list(dict.fromkeys(games))  # a generated game may be a shipped one
    assert len(games) >= VISITORS
    return games[-VISITORS:]


def visit_all(port, client):
    games = games_of_visitors(client)
    opening = Client(port)
    for name in games:
        opening.send("POST", f"/games/{name}/position", {})
    show("opening a game", opening.times)
    job = client.send("POST", "/games/connect_four/solve", {})
    with concurrent.futures.ThreadPoolExecutor(VISITORS) as pool:
        visits = list(pool.map(lambda i: Client(port).play(games[i], TURNS, i), range(VISITORS)))
    state = client.send("GET", f"/jobs/{job['id']}")["state"]
    show(f"{VISITORS} visitors with a game each, one solving ({state})", [t for visit in visits for t in visit], 200)
    client.send("DELETE", f"/jobs/{job['id']}")


def measure(port):
    client = Client(port)
    game = client.send("POST", "/generate", {"family": "connect-four", "sizes": ["5", "4"]})["id"]
    print("connect four 5x4:", solve(client, game))
    show("positions of a solved game", client.play(game, 400, 1), 50)
    text = "\n".join((ROOT / "games" / f"{name}.kif").read_text() for name in ("othello",))
    lines = text.splitlines()
    rules = "\n".join(lines + [f"(extra {i})" for i in range(max(0, 500 - len(lines)))])
    checks = Client(port)
    for _ in range(50):
        checks.send("POST", "/check", {"rules": rules})
    show(f"checking {len(rules.splitlines())} lines", checks.times, 100)
    visit_all(port, client)


def end_during_search(server, port):
    """Ends the server while it thinks for 30 s; returns the seconds."""
    thinking = http.client.HTTPConnection("127.0.0.1", port)
    body = {"role": "white", "agent": "search", "seconds": 30}
    thinking.request("POST", "/api/v1/games/breakthrough/play", json.dumps(body))
    time.sleep(0.5)
    begin = time.perf_counter()
    server.terminate()
    server.wait()
    return time.perf_counter() - begin


def main():
    size = sum(len(gzip.compress(f.read_bytes(), 9)) for f in (ROOT / "web/dist").rglob("*") if f.is_file())
    hold("page, compressed", size / 1000, 300, "kB")
    with tempfile.TemporaryDirectory() as data:
        command = [os.environ["ZERMELO"], "serve", "--port", "0", "--data", data]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            port = int(re.search(r":(\d+)/", server.stderr.readline()).group(1))
            measure(port)
            print("load of the machine: %.1f, %.1f, %.1f" % os.getloadavg())
            hold("end during a search", end_during_search(server, port), 2, "s")
        finally:
            server.terminate()
            server.wait()
    return 1 if exceeded and "--strict" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
