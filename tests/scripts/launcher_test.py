"""./zermelo on a copy with a one-file project: builds when it must, is quick when it need not."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

CMAKE = """cmake_minimum_required(VERSION 3.25)
project(launched LANGUAGES CXX)
add_subdirectory(src)
"""
SOURCE_CMAKE = """file(GLOB sources CONFIGURE_DEPENDS *.cc)
add_executable(zermelo ${sources})
"""
MAIN = """#include <cstdio>
int extra() __attribute__((weak));
int main(int argc, char** argv) {
  std::printf("%s %d %d", "ANSWER", argc, extra ? extra() : 0);
  return argc > 1 ? argv[1][0] - '0' : 0;
}
"""


class Launcher(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name).resolve() / "a checkout"
        for folder in ("src", "scripts", "games", "web/dist"):
            (self.root / folder).mkdir(parents=True)
        for name in ("zermelo", "scripts/setup.sh", "CMakePresets.json"):
            shutil.copy(ROOT / name, self.root / name)
        self.write("CMakeLists.txt", CMAKE)
        self.write("src/CMakeLists.txt", SOURCE_CMAKE)
        self.write("src/main.cc", MAIN)

    def write(self, name, text):
        (self.root / name).write_text(text)

    def start(self, *arguments, program=None, **options):
        command = [str(program or self.root / "zermelo"), *arguments]
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
        )

    def launch(self, *arguments, **options):
        process = self.start(*arguments, **options)
        out, err = process.communicate(timeout=300)
        return process.returncode, out, err

    def test_builds_first_and_passes_arguments_output_and_exit_code(self):
        code, out, err = self.launch("7", "two words")
        self.assertEqual((code, out), (7, "ANSWER 3 0"), err)
        self.assertEqual(self.launch("7"), (7, "ANSWER 2 0", ""))

    def test_announces_only_builds_that_take_long(self):
        self.write("CMakeLists.txt", CMAKE + "execute_process(COMMAND sleep 4)\n")
        self.assertIn("building", self.launch()[2])
        self.assertEqual(self.launch()[2], "")

    def test_a_read_only_checkout_runs_the_program_it_has(self):
        # A folder in place of the lock file cannot be written, even by root.
        lock = self.root / "build/lock"
        lock.mkdir(parents=True)
        code, out, err = self.launch()
        self.assertEqual((code, out), (69, ""))
        self.assertIn("read-only", err)
        lock.rmdir()
        self.launch()
        lock.unlink()
        lock.mkdir()
        self.assertEqual(self.launch("7"), (7, "ANSWER 2 0", ""))
        self.write("src/main.cc", MAIN.replace("ANSWER", "CHANGED"))
        code, out, err = self.launch("7")
        self.assertEqual((code, out), (7, "ANSWER 2 0"))
        self.assertIn("note: the checkout is read-only", err)

    def test_without_network_the_message_says_so(self):
        programs = self.root / "programs"
        programs.mkdir()
        failure = "echo 'W: Temporary failure resolving server' >&2; [ $3 = update ]"
        for name, body in (("dpkg-query", "echo unknown"), ("apt-get", failure), ("sudo", 'shift; "$@"')):
            (programs / name).write_text(f"#!/bin/sh\n{body}\n")
            (programs / name).chmod(0o755)
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        code, out, err = self.launch(env=environment)
        self.assertEqual((code, out), (69, ""))
        self.assertIn("check the network connection", err)

    def test_rebuilds_when_a_source_changes_comes_or_goes(self):
        self.assertEqual(self.launch()[1], "ANSWER 1 0")
        self.write("src/main.cc", MAIN.replace("ANSWER", "CHANGED"))
        self.assertEqual(self.launch()[1], "CHANGED 1 0")
        self.write("src/extra.cc", "int extra() { return 5; }\n")
        self.assertEqual(self.launch()[1], "CHANGED 1 5")
        (self.root / "src/extra.cc").unlink()
        self.assertEqual(self.launch()[1], "CHANGED 1 0")

    def test_a_failed_build_shows_why_and_is_tried_again(self):
        self.write("src/main.cc", "int main() { return missing_name; }\n")
        for _ in range(2):
            code, out, err = self.launch()
            self.assertEqual((code, out), (69, ""))
            self.assertIn("missing_name", err)
        self.write("src/main.cc", MAIN)
        self.assertEqual(self.launch()[:2], (0, "ANSWER 1 0"))

    def test_concurrent_first_uses_share_one_build(self):
        self.write("CMakeLists.txt", CMAKE + "execute_process(COMMAND sleep 4)\n")
        processes = [self.start() for _ in range(4)]
        results = [process.communicate(timeout=300) for process in processes]
        self.assertEqual([out for out, _ in results], ["ANSWER 1 0"] * 4, results)
        self.assertEqual(sum("building" in err for _, err in results), 1, results)

    def test_through_a_symlink_from_another_folder(self):
        link = pathlib.Path(self.folder.name) / "link"
        link.symlink_to(self.root / "zermelo")
        self.write("src/main.cc", '#include <unistd.h>\nint main() { return chdir("here"); }\n')
        with tempfile.TemporaryDirectory() as elsewhere:
            os.mkdir(os.path.join(elsewhere, "here"))
            self.assertEqual(self.launch(program=link, cwd=elsewhere)[0], 0)

    def test_works_after_the_checkout_moved(self):
        self.launch()
        moved = self.root.rename(self.root.parent / "moved")
        self.root = moved
        self.write("src/main.cc", MAIN.replace("ANSWER", "MOVED"))
        self.assertEqual(self.launch()[1], "MOVED 1 0")

    def test_works_when_bash_runs_it_by_its_bare_name(self):
        command = ["bash", "zermelo", "5"]
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, timeout=300)
        self.assertEqual((done.returncode, done.stdout), (5, "ANSWER 2 0"), done.stderr)

    def test_adds_under_50_milliseconds(self):
        """Of processor time, which other work on the machine does not change."""
        shutil.copytree(ROOT / "src", self.root / "src" / "as_many_files", copy_function=shutil.copy)
        self.launch()
        times = []
        for _ in range(10):
            begin = os.times()
            self.launch()
            end = os.times()
            times.append(end[2] + end[3] - begin[2] - begin[3])
        self.assertLess(min(times), 0.05, times)


if __name__ == "__main__":
    unittest.main()
