#!/usr/bin/env python3
"""How fast `zermelo serve` answers: ZERMELO=path bench/page.py

Prints the 95th percentile of position requests on a solved game, of checking a rulesheet of 500 lines, and of
position requests of 50 visitors at once while a game is being solved; and the size of the page, compressed.
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
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
VISITORS, TURNS = 50, 20


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


def show(name, times):
    times = sorted(times)
    at = lambda share: 1000 * times[min(len(times) - 1, int(len(times) * share))]
    print(f"{name}: median {at(0.5):.1f} ms, 95th percentile {at(0.95):.1f} ms, {len(times)} requests")


def measure(port):
    client = Client(port)
    game = client.send("POST", "/generate", {"family": "connect-four", "sizes": ["5", "4"]})["id"]
    print("connect four 5x4:", solve(client, game))
    show("positions of a solved game", client.play(game, 400, 1))
    text = "\n".join((ROOT / "games" / f"{name}.kif").read_text() for name in ("othello",))
    lines = text.splitlines()
    rules = "\n".join(lines + [f"(extra {i})" for i in range(max(0, 500 - len(lines)))])
    checks = Client(port)
    for _ in range(50):
        checks.send("POST", "/check", {"rules": rules})
    show(f"checking {len(rules.splitlines())} lines", checks.times)
    games = [entry["id"] for entry in client.send("GET", "/games")["games"]]
    opening = Client(port)
    for name in games:
        opening.send("POST", f"/games/{name}/position", {})
    show("opening a shipped game", opening.times)
    job = client.send("POST", "/games/connect_four/solve", {})
    with concurrent.futures.ThreadPoolExecutor(VISITORS) as pool:
        visits = pool.map(lambda i: Client(port).play(games[i % len(games)], TURNS, i), range(VISITORS))
        show(f"{VISITORS} visitors while a game is solved", [t for visit in visits for t in visit])
    client.send("DELETE", f"/jobs/{job['id']}")


def main():
    size = sum(len(gzip.compress(f.read_bytes(), 9)) for f in (ROOT / "web/dist").rglob("*") if f.is_file())
    print(f"page, compressed: {size / 1000:.0f} kB")
    with tempfile.TemporaryDirectory() as data:
        command = [os.environ["ZERMELO"], "serve", "--port", "0", "--data", data]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            measure(int(re.search(r":(\d+)/", server.stderr.readline()).group(1)))
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
