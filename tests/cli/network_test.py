"""The commands player and referee: matches over HTTP, and a player that nothing disturbs."""

import json
import os
import pathlib
import re
import resource
import socket
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ZERMELO = os.environ["ZERMELO"]
TIC_TAC_TOE = str(ROOT / "games" / "tic_tac_toe.kif")
CONNECT_FOUR = str(ROOT / "games" / "connect_four.kif")


class Player:
    """A player on a port of its own, for so many matches."""

    def __init__(self, test, matches, think="50ms"):
        command = [ZERMELO, "player", "--port", "0", "--think", think, "--threads", "1"]
        self.process = subprocess.Popen(
            command + ["--matches", str(matches)], stderr=subprocess.PIPE, text=True
        )
        test.addCleanup(self.end)
        self.port = int(re.search(r"port (\d+)", self.process.stderr.readline())[1])
        self.lines = []
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stderr))
        self.reader.start()

    @property
    def address(self):
        return f"127.0.0.1:{self.port}"

    def end(self):
        self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stderr.close()

    def ask(self, message):
        request = urllib.request.Request(
            f"http://{self.address}/", data=message.encode(), headers={"Content-Type": "text/acl"}
        )
        with urllib.request.urlopen(request, timeout=20) as response:
            return response.read().decode()


def referee(*arguments):
    return subprocess.run(
        [ZERMELO, "referee", *arguments], capture_output=True, text=True, timeout=120
    )


class Network(unittest.TestCase):
    def test_two_scrambled_matches_with_records(self):
        players = [Player(self, 2), Player(self, 2)]
        with tempfile.TemporaryDirectory() as folder:
            done = referee(
                TIC_TAC_TOE, "--player", players[0].address, "--player", players[1].address,
                "--games", "2", "--scramble", "--start-clock", "2", "--play-clock", "2",
                "--records", folder, "--json",
            )
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            answer = json.loads(done.stdout)
            records = [json.loads(path.read_text()) for path in pathlib.Path(folder).iterdir()]
        self.assertEqual(answer["mean_goals"], [50, 50])
        self.assertEqual(set(answer["faults"].values()), {0})
        self.assertEqual(answer["roles"], ["x", "o"])
        self.assertEqual(answer["completed"], 2)
        self.assertEqual(
            {tuple(record["playerNamesFromHost"]) for record in records},
            {(players[0].address, players[1].address), (players[1].address, players[0].address)},
        )
        for player in players:
            self.assertEqual(player.process.wait(timeout=20), 0)

    def test_a_match_is_not_disturbed_by_a_thousand_connections(self):
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, limit[1]), limit[1]))
        player = Player(self, 1, think="200ms")
        running = []
        thread = threading.Thread(target=lambda: running.append(referee(
            CONNECT_FOUR, "--player", player.address, "--player", "random",
            "--start-clock", "1", "--play-clock", "1", "--json",
        )))
        thread.start()
        connections = [socket.create_connection(("127.0.0.1", player.port)) for _ in range(1000)]
        for connection in connections[::2]:
            try:
                connection.send(b"POST / HTTP/1.0\r\nContent-Length: 1000\r\n\r\n(PLAY")
            except OSError:
                pass
        busy = False
        while not busy and thread.is_alive():
            busy = "status busy" in player.ask("INFO")
        self.assertTrue(busy)
        thread.join()
        for connection in connections:
            connection.close()
        self.assertEqual((running[0].returncode, running[0].stderr), (0, ""))
        answer = json.loads(running[0].stdout)
        self.assertEqual(set(answer["faults"].values()), {0})
        self.assertGreaterEqual(answer["mean_goals"][0], 50)

    def test_the_last_message_is_answered(self):
        rules = pathlib.Path(TIC_TAC_TOE).read_text()
        for last, answer in (("(STOP m (noop noop))", "done"), ("(ABORT m)", "aborted")):
            player = Player(self, 1)
            self.assertEqual(player.ask(f"(START m x ({rules}) 5 2)"), "ready")
            self.assertEqual(player.ask(last), answer)
            self.assertEqual(player.process.wait(20), 0)

    def test_nobody_listens(self):
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{unused.getsockname()[1]}"
            done = referee(TIC_TAC_TOE, "--player", address, "--player", "random", "--json")
        answer = json.loads(done.stdout)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(answer["faults"]["unreachable"], len(answer["records"][0]["moves"]))
        self.assertIn("is not ready", done.stderr)

    def test_every_run_has_match_ids_of_its_own_unless_one_is_given(self):
        def ids(*arguments):
            done = referee(TIC_TAC_TOE, "--player", "random", "--player", "random", "--json",
                           "--games", "2", *arguments)
            return [record["matchId"] for record in json.loads(done.stdout)["records"]]

        before = int(1000 * time.time())
        first, second = (re.fullmatch(r"zermelo\.(\d+)\.(\d)", name) for name in ids())
        self.assertTrue(before <= int(first[1]) <= 1000 * time.time())
        self.assertEqual((second[1], first[2], second[2]), (first[1], "0", "1"))
        self.assertEqual(ids("--match-id", "A-b_c.1"), ["A-b_c.1.0", "A-b_c.1.1"])

    def test_progress(self):
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            silent.listen()
            address = f"127.0.0.1:{silent.getsockname()[1]}"
            done = referee(TIC_TAC_TOE, "--player", address, "--player", "random", "--start-clock", "1",
                           "--play-clock", "0", "--grace", "0.1s", "--progress", "always")
        self.assertEqual(done.returncode, 0)
        self.assertIn("playing game 1 of 1: ", done.stderr)

    def test_wrong_use(self):
        self.assertEqual(referee(TIC_TAC_TOE, "--player", "random").returncode, 2)
        self.assertEqual(referee(TIC_TAC_TOE).returncode, 2)
        for player in ("nowhere", ":9147", "localhost:0", "localhost:65536", "localhost:x"):
            done = referee(TIC_TAC_TOE, "--player", "random", "--player", player)
            self.assertEqual(done.returncode, 2)
            self.assertIn("HOST:PORT", done.stderr)

    def test_a_port_in_use(self):
        player = Player(self, 1)
        command = [ZERMELO, "player", "--port", str(player.port)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=20)
        self.assertEqual(done.returncode, 3)
        self.assertIn("cannot listen", done.stderr)


if __name__ == "__main__":
    unittest.main()
