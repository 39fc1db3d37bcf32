"""Installing: the program with its manual pages and completion, the library as another project uses it, and the Debian
package. ZERMELO names the program in its build folder; everything goes into a temporary folder."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ["ZERMELO"])
BUILD = PROGRAM.parents[1]
COMPLETION = "share/bash-completion/completions/zermelo"


def run(*command, **options):
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, timeout=500, **options
    )
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def completed(prefix, *words):
    """What bash offers after these words, the last of which is being typed."""
    line = " ".join(f"'{word}'" for word in ("zermelo", *words))
    script = (
        f"source {prefix / COMPLETION}; COMP_WORDS=({line}); COMP_CWORD={len(words)}; _zermelo;"
        ' printf "%s\\n" "${COMPREPLY[@]}"'
    )
    return run("bash", "-c", script).split()


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.prefix = cls.folder / "usr"
        for component in ("program", "library"):
            run("cmake", "--install", BUILD, "--prefix", cls.prefix, "--component", component)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_the_program_runs(self):
        program = self.prefix / "bin/zermelo"
        self.assertTrue(run(program, "--version").startswith("zermelo "))
        self.assertIn("a draw", run(program, "solve", ROOT / "games/tic_tac_toe.kif"))

    def test_every_command_has_a_manual_page_with_all_its_options(self):
        pages = self.prefix / "share/man/man1"
        listed = run(PROGRAM, "--help").split("Subcommands:")[1]
        commands = re.findall(r"^  ([a-z]+)  ", listed, re.MULTILINE)
        self.assertGreater(len(commands), 20)
        self.assertEqual(len(list(pages.iterdir())), len(commands) + 1)
        main = (pages / "zermelo.1").read_text()
        for command in commands:
            self.assertIn(command, main)
            page = (pages / f"zermelo-{command}.1").read_text()
            self.assertIn(f".TH ZERMELO-{command.upper()} 1", page)
            options = re.findall(r"^  (?:-h,)?(--[a-z-]+)", run(PROGRAM, command, "--help"), re.MULTILINE)
            self.assertIn("--help", options)
            for option in options:
                self.assertIn(option.replace("-", "\\-"), page)

    def test_bash_completes_commands_options_and_values(self):
        self.assertEqual(completed(self.prefix, "sol"), ["solve"])
        self.assertEqual(completed(self.prefix, "solve", "--eng"), ["--engine"])
        self.assertEqual(completed(self.prefix, "solve", "--engine", "sym"), ["symbolic"])
        self.assertEqual(completed(self.prefix, "solve", "--nothing"), [])

    def test_zsh_completion_lists_every_command(self):
        text = (self.prefix / "share/zsh/vendor-completions/_zermelo").read_text()
        self.assertTrue(text.startswith("#compdef zermelo\n"))
        self.assertIn("--engine[", text)
        self.assertIn("(auto symbolic explicit)", text)

    def test_another_project_uses_the_library(self):
        """The example of the guide, built outside the checkout."""
        build = self.folder / "example"
        run("cmake", "-S", ROOT / "examples", "-B", build, "-G", "Ninja",
            f"-DCMAKE_PREFIX_PATH={self.prefix}")  # fmt: skip
        run("cmake", "--build", build)
        output = run(build / "best_moves", ROOT / "games/tic_tac_toe.kif")
        self.assertTrue(output.startswith("5478 states\n"))
        self.assertEqual(output.count("50 50 best\n"), 9)
        wrong = subprocess.run([build / "best_moves", ROOT / "README.md"], capture_output=True, text=True)
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("not valid GDL", wrong.stderr)

    def test_nothing_installed_names_the_checkout(self):
        for path in (self.prefix / "lib").rglob("*.cmake"):
            self.assertNotIn(str(ROOT), path.read_text(), path)
        for path in (self.prefix / "share").rglob("*"):
            if path.is_file():
                self.assertNotIn(str(ROOT), path.read_text(), path)

    def test_the_debian_package_has_it_all(self):
        run("cpack", "-B", self.folder, "--config", BUILD / "CPackConfig.cmake", cwd=self.folder)
        (package,) = self.folder.glob("zermelo_*.deb")
        fields = run("dpkg-deb", "--field", package, "Package", "Depends")
        self.assertIn("Package: zermelo", fields)
        self.assertRegex(fields, r"Depends: .*libfmt")
        names = run("dpkg-deb", "--contents", package)
        for path in ("usr/bin/zermelo", "usr/share/man/man1/zermelo-solve.1", f"usr/{COMPLETION}",
                     "usr/include/zermelo/app/solve.h", "zermelo-config.cmake"):  # fmt: skip
            self.assertIn(path, names)


if __name__ == "__main__":
    unittest.main()
