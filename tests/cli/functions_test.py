"""Rules whose functions are computed by programs and libraries: who may run them, and what happens
if they fail."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import textwrap
import threading
import unittest
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ZERMELO = os.environ["ZERMELO"]

# Both roles raise a number that the module doubles after every step.
RULES = """
(include outside KIND) (use outside (double ?a ?b))
(role left) (role right) (init (step 0)) (init (value 1))
(succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?role wait) (role ?role)) (<= (legal left raise) (true (value ?_any)))
(<= (next (step ?n)) (true (step ?s)) (succ ?s ?n))
(<= (next (value ?d)) (true (value ?v)) (does left raise) (double ?v ?d))
(<= (next (value ?v)) (true (value ?v)) (does left wait))
(<= terminal (true (step 3)))
(<= (goal left 100) (true (value 8))) (<= (goal left 0) (not (true (value 8))))
(<= (goal right 0) (true (value 8))) (<= (goal right 100) (not (true (value 8))))
"""

PROGRAM = """#!/usr/bin/env python3
import sys
open(LOG, "a").write("started\\n")
for line in sys.stdin:
    index, function, number = line.split()
    print(index, "=", 2 * int(number), flush=True)
"""

LIBRARY = """
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" int zermelo_call(const char* function, const char* const* inputs, unsigned count,
                            char* result, unsigned size) {
  if (std::strcmp(function, "double") != 0 || count != 1) {
    std::snprintf(result, size, "unknown function");
    return -1;
  }
  if (std::strcmp(inputs[0], "99") == 0) std::abort();
  std::snprintf(result, size, "%d", 2 * std::atoi(inputs[0]));
  return 1;
}
"""


class Functions(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.log = self.folder / "log"
        self.game = self.write("game.kif", RULES.replace("KIND", "program"))
        self.program = self.executable("program", PROGRAM.replace("LOG", repr(str(self.log))))

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def executable(self, name, text):
        path = self.write(name, text)
        os.chmod(path, 0o700)
        return path

    def run_zermelo(self, *arguments):
        return subprocess.run(
            [ZERMELO, *arguments], capture_output=True, text=True, timeout=120, cwd=self.folder
        )

    def allowed(self, command, *arguments, path=None):
        return self.run_zermelo(
            command, self.game, "--allow", f"outside={path or self.program}", *arguments
        )

    def test_commands_compute_by_an_allowed_program(self):
        solved = self.allowed("solve", "--json")
        self.assertEqual((solved.returncode, solved.stderr), (0, ""))
        self.assertEqual(json.loads(solved.stdout)["values"], [100, 0])
        counted = self.allowed("count", "--json")
        self.assertEqual(json.loads(counted.stdout)["states"], "10")
        for engine in ("fast", "reference"):
            perft = self.allowed("perft", "--depth", "3", "--engine", engine, "--json")
            self.assertEqual(perft.returncode, 0, perft.stderr)
            self.assertEqual(json.loads(perft.stdout)["depths"][3]["sequences"], 8)
        for engine in ("sliced", "fast", "reference"):
            played = self.allowed("playouts", "--count", "20", "--engine", engine)
            self.assertEqual(played.returncode, 0, played.stderr)
        match = self.allowed("match", "--player", "uct:simulations=20", "--games", "2", "--json")
        self.assertEqual(match.returncode, 0, match.stderr)
        for arguments in (["info"], ["factor"], ["coalition"], ["evaluate"], ["draw", "-o", "-"],
                          ["compile", "-o", "game.cc"]):
            done = self.allowed(arguments[0], *arguments[1:])
            self.assertIn(done.returncode, (0, 4), (arguments, done.stderr))
            self.assertNotIn("--allow", done.stderr)

    def test_nothing_runs_that_nobody_named(self):
        for command in (["check", self.game], ["print", self.game]):
            self.assertEqual(self.run_zermelo(*command).returncode, 0)
        for command in ("solve", "count", "info", "match", "playouts", "coalition", "compile"):
            extra = ["-o", "x.cc"] if command == "compile" else []
            done = self.run_zermelo(command, self.game, *extra)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn("--allow outside=PATH", done.stderr)
        other = self.run_zermelo("info", self.game, "--allow", f"inside={self.program}")
        self.assertEqual(other.returncode, 2)
        self.assertIn("use no program or library 'inside'", other.stderr)
        wrong = self.run_zermelo("info", self.game, "--allow", self.program)
        self.assertEqual(wrong.returncode, 2)
        missing = self.run_zermelo("info", self.game, "--allow", "outside=/no/such/program")
        self.assertEqual(missing.returncode, 3)
        self.assertIn("cannot run /no/such/program", missing.stderr)
        self.assertFalse(self.log.exists())

    def test_a_failing_program_ends_every_command(self):
        liar = self.executable("liar", "#!/bin/sh\nwhile read i line; do echo $i = $$ $line; done\n")
        dying = self.executable("dying", "#!/bin/sh\nread line\nexit 5\n")
        for command in (["solve"], ["count"], ["perft", "--depth", "3", "--engine", "reference"],
                        ["playouts", "--count", "9", "--engine", "reference"], ["info"],
                        ["match", "--player", "random", "--games", "3"],
                        ["match", "--player", "uct:simulations=9", "--games", "3"]):
            for path, what in ((liar, 'neither "= NAME" nor "none"'), (dying, "exit code 5")):
                done = self.allowed(*command, path=path)
                self.assertEqual(done.returncode, 3, (command, done.stderr, done.stdout))
                self.assertIn('the call "double 1" of the program \'outside\' failed', done.stderr)
                self.assertIn(what, done.stderr)
        failed = self.allowed("solve", "--json", path=dying)
        self.assertIn("double 1", json.loads(failed.stdout)["error"]["message"])

    # A program with the address sanitizer reserves more address space than the process may have.
    @unittest.skipIf(b"__asan_init" in pathlib.Path(ZERMELO).read_bytes(), "address sanitizer")
    def test_libraries_run_in_a_process_of_their_own(self):
        self.write("library.cc", LIBRARY)
        library = str(self.folder / "library.so")
        subprocess.run(
            ["c++", "-shared", "-fPIC", "-o", library, str(self.folder / "library.cc")], check=True
        )
        self.game = self.write("library.kif", RULES.replace("KIND", "library"))
        solved = self.allowed("solve", "--json", path=library)
        self.assertEqual((solved.returncode, solved.stderr), (0, ""))
        self.assertEqual(json.loads(solved.stdout)["values"], [100, 0])
        self.game = self.write(
            "crash.kif", RULES.replace("KIND", "library").replace("value 1", "value 99")
        )
        crashed = self.allowed("solve", path=library)
        self.assertEqual(crashed.returncode, 3)
        self.assertIn("it crashed (Aborted)", crashed.stderr)
        self.game = self.write("library.kif", RULES.replace("KIND", "library"))
        none = self.allowed("solve", path=self.write("text.so", "no library"))
        self.assertEqual(none.returncode, 3)
        self.assertIn("the library 'outside' failed: it ended with exit code 1", none.stderr)

    def test_the_program_of_the_documents_computes_figure_2(self):
        text = (ROOT / "docs" / "reference" / "functions.md").read_text()
        block = text.split("In Python:")[1].split("## Libraries")[0]
        self.game = self.write("inflation.kif", """
            (include finance program) (use finance (inflation ?price ?rate ?steps ?new))
            (role r) (legal r wait) (goal r 0) (init (price 4))
            (<= (next (price ?new)) (true (price ?old)) (inflation ?old 0.1 6 ?new))
            (<= terminal (true (price 7.086244)))""")
        program = self.executable("finance.py", textwrap.dedent(block).lstrip())
        counted = self.run_zermelo("count", self.game, "--allow", f"finance={program}")
        self.assertEqual(counted.returncode, 0, counted.stderr)
        self.assertRegex(counted.stdout, r"states +2\b")

    def start_server(self, *command):
        process = subprocess.Popen([ZERMELO, *command], stderr=subprocess.PIPE, text=True)
        lines = []
        port = re.search(r"(?:port |:)(\d+)", process.stderr.readline())[1]
        reader = threading.Thread(target=lambda: lines.extend(process.stderr))
        reader.start()

        def end():
            process.terminate()
            process.wait()
            reader.join()
            process.stderr.close()

        self.addCleanup(end)
        return port, lines, process

    def test_the_network_brings_no_programs(self):
        port, lines, process = self.start_server("player", "--port", "0", "--matches", "1")
        for kind in ("program", "library", self.program):
            rules = re.sub(r"\s+", " ", RULES.replace("KIND", kind))
            message = f"(START m{len(lines)} left ({rules}) 2 2)"
            request = urllib.request.Request(f"http://127.0.0.1:{port}/", data=message.encode())
            with urllib.request.urlopen(request, timeout=20) as response:
                self.assertEqual(response.read().decode(), "busy")
        process.terminate()
        process.wait()
        log = "".join(lines)
        self.assertIn("by the program 'outside', which was not allowed to run", log)
        self.assertIn("by the library 'outside', which was not allowed to run", log)
        self.assertIn("the rules are not valid GDL", log)
        self.assertFalse(self.log.exists())
        for command in ("player", "serve", "referee"):
            self.assertNotIn("--allow", self.run_zermelo(command, "--help").stdout)

    def test_the_page_brings_no_programs(self):
        port, _, _ = self.start_server("serve", "--port", "0", "--data", str(self.folder))
        game = self.post(port, "games", {"rules": RULES.replace("KIND", "program")})
        answer = self.post(port, f"games/{game['id']}/position", {})
        self.assertIn("was not allowed to run", answer["error"]["message"])
        self.assertFalse(self.log.exists())

    def post(self, port, path, body):
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/api/v1/{path}", data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.loads(response.read())
        except urllib.error.HTTPError as error:
            return json.loads(error.read())


if __name__ == "__main__":
    unittest.main()
