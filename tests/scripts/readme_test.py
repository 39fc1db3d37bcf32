"""The transcripts and links of the documents.

A fenced block of the language `console` in README.md or docs/tutorial.md is a transcript: a line
that starts with `$ ` is a command, the lines up to the next command are what it prints. Commands
run in a folder with links to the program and to games/; the blocks of a document share that folder.
In the expected output `...` within a line matches any text, and a line `...` any number of lines.
Blanks at the end of a line do not count. A fenced block whose first line is `text NAME` is written
to the file NAME of that folder.
"""

import contextlib
import difflib
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"^```(\S+) *(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PORT = "9147"  # what the documents show; the test takes one that is free
MARK = "=== next command ==="


def parse(block):
    """The commands of a transcript, each with the lines it should print."""
    steps = []
    for line in block.splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        else:
            steps[-1][1].append(line)
    return steps


def matches(expected, actual):
    def pattern(line):
        if line == "...":
            return r"(?:.*\n)*?"
        return ".*".join(map(re.escape, line.rstrip().split("..."))) + r"\n"

    text = "".join(line.rstrip() + "\n" for line in actual)
    return re.fullmatch("".join(map(pattern, expected)), text) is not None


def run(script, folder):
    """What a bash script prints, on both streams; everything it started ends with it."""
    with tempfile.TemporaryFile("w+") as printed:
        process = subprocess.Popen(["bash", "-c", script], cwd=folder, stdin=subprocess.DEVNULL,
                                   stdout=printed, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            process.wait(timeout=500)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        printed.seek(0)
        return printed.read()


def free_port():
    """Of four digits, like PORT, so that tables have the same columns."""
    for port in random.sample(range(5000, 10000), 1000):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return str(port)
    raise OSError("no port is free")


def outputs(commands, folder):
    port = free_port()
    waited = [f"{c} sleep 2" if c.endswith("&") else c for c in commands]  # until a server listens
    script = f"\necho '{MARK}'\n".join(waited).replace(PORT, port)
    printed = run(script, folder).replace(port, PORT)
    return [part.splitlines() for part in printed.split(MARK + "\n")]


def differences(block, folder):
    steps = parse(block)
    for (command, expected), actual in zip(steps, outputs([c for c, _ in steps], folder)):
        if not matches(expected, actual):
            yield "\n".join(difflib.unified_diff(expected, actual, f"$ {command}", "now", lineterm=""))


def check(document, folder):
    """The differences of all transcripts of a document, and the number of transcripts."""
    (folder / "zermelo").symlink_to(pathlib.Path(os.environ["ZERMELO"]).resolve())
    (folder / "games").symlink_to(ROOT / "games")
    found, transcripts = [], 0
    for language, name, block in BLOCK.findall(document):
        if language == "text" and name:
            (folder / name).write_text(block)
        if language == "console":
            found += differences(block, folder)
            transcripts += 1
    return found, transcripts


def anchors(document):
    """The names that GitHub gives to the headings of a document."""
    for heading in re.findall(r"^#+ (.*)$", document, re.MULTILINE):
        yield re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


class Transcripts(unittest.TestCase):
    def expect_right(self, name, at_least):
        with tempfile.TemporaryDirectory() as folder:
            found, transcripts = check((ROOT / name).read_text(), pathlib.Path(folder))
        if found:
            self.fail("\n" + "\n\n".join(found))
        self.assertGreaterEqual(transcripts, at_least)

    def test_readme(self):
        self.expect_right("README.md", 8)

    def test_tutorial(self):
        self.expect_right("docs/tutorial.md", 8)

    def test_a_wrong_transcript_is_found(self):
        document = "```text f\none\ntwo\n```\n```console\n$ cat f\n{}\n$ echo end\nend\n```\n"
        for shown, problems in [("one\ntwo", 0), ("...", 0), ("o...\ntwo", 0), ("...\ntwo", 0),
                                ("one", 1), ("one\n2", 1), ("one\ntwo\nthree", 1), ("two\n...", 1)]:
            with tempfile.TemporaryDirectory() as folder:
                found, _ = check(document.format(shown), pathlib.Path(folder))
            self.assertEqual(len(found), problems, shown)


class Links(unittest.TestCase):
    def test_every_link_leads_somewhere(self):
        documents = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "bench/README.md"]
        for document in documents:
            for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text()):
                if "://" in target:
                    continue
                path, _, anchor = target.partition("#")
                file = (document.parent / path).resolve() if path else document
                self.assertTrue(file.exists(), f"{document.relative_to(ROOT)}: {target}")
                if anchor:
                    self.assertIn(anchor, anchors(file.read_text()), document.relative_to(ROOT))


if __name__ == "__main__":
    unittest.main()
