"""`play` on a terminal: line editing, history, completion, colours and records."""

import os
import pathlib
import pty
import re
import select
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ZERMELO = os.environ["ZERMELO"]
GAME = str(ROOT / "games/tic_tac_toe.kif")
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, *command, **variables):
        environment = {**os.environ, "TERM": "xterm", "HOME": "/nonexistent", **variables}
        for name in [name for name, value in variables.items() if value is None]:
            environment.pop(name)
        if "NO_COLOR" not in variables:
            environment.pop("NO_COLOR", None)
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment,
                                        start_new_session=True, close_fds=True)
        os.close(slave)
        self.text = ""
        self.seen = 0  # of the text without colours

    def wait_for(self, expected, seconds=30):
        """Reads until the text after what was waited for before contains this, without colours."""
        end = time.monotonic() + seconds
        while True:
            plain = ESCAPES.sub("", self.text)
            found = plain.find(expected, self.seen)
            if found >= 0:
                self.seen = found + len(expected)
                return
            if time.monotonic() > end:
                raise AssertionError(f"no {expected!r} in {plain[self.seen:]!r}")
            self.read()

    def read(self):
        if select.select([self.master], [], [], 0.2)[0]:
            try:
                self.text += os.read(self.master, 65536).decode(errors="replace")
            except OSError:  # the program has closed its terminal
                time.sleep(0.2)

    def exit_code(self, seconds=30):
        """Reads on until the program ends: it waits until its output was read."""
        end = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < end:
            self.read()
        return self.process.poll()

    def send(self, keys):
        os.write(self.master, keys.encode())

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.master)


class PlayOnATerminal(unittest.TestCase):
    def start(self, *options, **variables):
        terminal = Terminal(ZERMELO, "play", GAME, "--against", "legal", *options, **variables)
        self.addCleanup(terminal.close)
        terminal.wait_for("> ")
        return terminal

    def test_lines_can_be_edited(self):
        terminal = self.start()
        terminal.send("(mark 2 9)\x7f\x7f2)\r")  # two characters erased
        terminal.wait_for("(mark 2 2)  ")
        terminal.wait_for("> ")

    def test_history_recalls_the_last_line(self):
        terminal = self.start()
        terminal.send("nonsense\r")
        terminal.wait_for('no move contains "nonsense"')
        terminal.wait_for("> ")
        terminal.send("\x1b[A\r")  # arrow up
        terminal.wait_for('no move contains "nonsense"')

    def test_tab_completes_moves_and_commands(self):
        terminal = self.start()
        terminal.send("he\t\r")
        terminal.wait_for("Part of a move lists")
        terminal.wait_for("> ")
        terminal.send("(mark 3 3\t\r")
        terminal.wait_for("(mark 3 3)  ")

    def test_colours_respect_the_terminal(self):
        coloured = self.start()
        self.assertIn("\x1b[2m", coloured.text)
        for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            plain = self.start(**variables)
            self.assertNotIn("\x1b[2m", plain.text)
            self.assertNotIn("\x1b[1m", plain.text)
        self.assertIn("\x1b[2m", self.start(NO_COLOR="").text)

    def test_saved_games_can_be_replayed(self):
        with tempfile.TemporaryDirectory() as folder:
            saved, written = f"{folder}/saved.json", f"{folder}/written.json"
            terminal = self.start("--record", written)
            terminal.send("(mark 2 2)\r")
            terminal.wait_for("> ")
            terminal.send("undo\r")
            terminal.wait_for("> ")
            terminal.send("(mark 3 3)\r")
            terminal.wait_for("> ")
            terminal.send(f"save {saved}\r")
            terminal.wait_for("saved; ")
            terminal.send("quit\r")
            self.assertEqual(terminal.exit_code(), 0)
            for record in (saved, written):
                done = subprocess.run([ZERMELO, "replay", record, GAME], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn("(mark 3 3)", done.stdout)
                self.assertNotIn("(mark 2 2)", done.stdout)

    def test_the_end_of_the_input_ends_the_game(self):
        terminal = self.start()
        terminal.send("\x04")
        self.assertEqual(terminal.exit_code(), 0)


if __name__ == "__main__":
    unittest.main()
