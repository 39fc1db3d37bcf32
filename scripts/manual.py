#!/usr/bin/env python3
"""Manual pages and shell completion, made from what the program prints for --help.

    manual.py PROGRAM FOLDER

writes FOLDER/man/man1/zermelo*.1, FOLDER/bash-completion/completions/zermelo and
FOLDER/zsh/vendor-completions/_zermelo.
"""

import argparse
import dataclasses
import pathlib
import re
import subprocess

# "  --model own|difference      Players maximise ..." or, with the description on the next line, only the first part.
ENTRY = re.compile(r"^  (\S.*?)(?:\s{2,}(\S.*))?$")
CONTINUED = re.compile(r"^\s{10,}(\S.*)$")
# Of manual pages, by section of --help.
TITLES = {"Positionals": "ARGUMENTS", "Options": "OPTIONS", "Subcommands": "COMMANDS"}
CHOICE = re.compile(r"^[a-z0-9-]+(\|[a-z0-9-]+)+$")


@dataclasses.dataclass
class Entry:
    """An option, an argument or a command: its left side in --help, and its description."""

    usage: str
    text: str

    def names(self):
        return [name for name in re.split(r"[ ,]", self.usage) if name.startswith("-")]

    def value(self):
        """The placeholder of the option's value, or ''."""
        return self.usage.split(" ", 1)[1] if " " in self.usage else ""

    def choices(self):
        word = self.value().split(" ")[0]
        return word.split("|") if CHOICE.match(word) else []


@dataclasses.dataclass
class Page:
    """What --help prints."""

    command: str  # empty for the program
    summary: str
    usage: str
    example: str
    sections: dict  # title: entries

    @property
    def name(self):
        return f"zermelo-{self.command}" if self.command else "zermelo"

    def options(self):
        return self.sections.get("Options", [])


def help_of(program, *command):
    run = subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True)
    return run.stdout


def read_page(command, text):
    summary, rest = text.split("\nUsage: ", 1)
    usage, *lines = rest.split("\n")
    page = Page(command, summary.strip(), usage, "", {})
    entries = []
    for line in lines:
        entry, continued = ENTRY.match(line), CONTINUED.match(line)
        if line.endswith(":") and not line.startswith(" "):
            entries = page.sections.setdefault(line[:-1], [])
        elif continued and entries:
            entries[-1].text = f"{entries[-1].text} {continued[1]}".strip()
        elif entry:
            entries.append(Entry(entry[1], entry[2] or ""))
    page.example = "\n".join(entry.usage for entry in page.sections.pop("Example", []))
    return page


def read_pages(program):
    main = read_page("", help_of(program))
    commands = [entry.usage for entry in main.sections["Subcommands"]]
    return main, [read_page(command, help_of(program, command)) for command in commands]


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def manual_page(page, others):
    parts = [
        f'.TH {page.name.upper()} 1 "" "" "Zermelo"',
        f".SH NAME\n{roff(page.name)} \\- {roff(page.summary.splitlines()[0])}",
        f".SH SYNOPSIS\n.B {roff(page.usage)}",
    ]
    for title, entries in page.sections.items():
        parts.append(f".SH {TITLES[title]}")
        parts += [f".TP\n.B {roff(entry.usage)}\n{roff(entry.text)}" for entry in entries]
    if page.example:
        parts.append(f".SH EXAMPLE\n.nf\n{roff(page.example)}\n.fi")
    related = ", ".join(f".BR {roff(name)} (1)" for name in others)
    parts.append(".SH SEE ALSO\n" + related.replace(", .BR", " ,\n.BR"))
    return "\n".join(parts) + "\n"


def bash_completion(pages):
    """Commands, options, the words that an option takes, and otherwise files."""
    cases = []
    for page in pages:
        words = " ".join(name for entry in page.options() for name in entry.names())
        choices = "".join(
            f'        {"|".join(entry.names())}) words="{" ".join(entry.choices())}" ;;\n'
            for entry in page.options()
            if entry.choices()
        )
        cases.append(
            f"    {page.command})\n"
            f'      words="{words}"\n'
            f'      case "$previous" in\n{choices}        *) [[ $current == -* ]] || words= ;;\n'
            "      esac\n      ;;\n"
        )
    commands = " ".join(page.command for page in pages)
    return f"""# bash completion for zermelo, made by scripts/manual.py
_zermelo() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} words=
  if ((COMP_CWORD == 1)); then
    words="{commands} --help --version"
  else
    case "${{COMP_WORDS[1]}}" in
{"".join(cases)}    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}}
complete -o default -F _zermelo zermelo
"""


def zsh_quoted(text):
    return re.sub(r"([\[\]:\\])", r"\\\1", text).replace("'", "'\\''")


def zsh_options(page):
    for entry in page.options():
        value = entry.value()
        kind = f"({' '.join(entry.choices())})" if entry.choices() else "_files"
        argument = f":{zsh_quoted(value)}:{kind}" if value else ""
        for name in entry.names():
            yield f"      '{name}[{zsh_quoted(entry.text)}]{argument}'"


def zsh_completion(pages):
    commands = "\n".join(
        f"    '{page.command}:{zsh_quoted(page.summary.splitlines()[0])}'" for page in pages
    )
    cases = "".join(
        f"    {page.command})\n      arguments=(\n"
        + "\n".join(zsh_options(page))
        + "\n      )\n      ;;\n"
        for page in pages
    )
    return f"""#compdef zermelo
# zsh completion for zermelo, made by scripts/manual.py
_zermelo() {{
  local -a commands arguments
  commands=(
{commands}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  case "$words[2]" in
{cases}  esac
  shift words
  ((CURRENT--))
  _arguments -S : $arguments '*:file:_files'
}}
_zermelo "$@"
"""


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    program_page, pages = read_pages(arguments.program)
    for page in [program_page, *pages]:
        others = [p.name for p in pages] if page is program_page else ["zermelo"]
        write(arguments.folder / "man" / "man1" / f"{page.name}.1", manual_page(page, others))
    write(arguments.folder / "bash-completion/completions/zermelo", bash_completion(pages))
    write(arguments.folder / "zsh/vendor-completions/_zermelo", zsh_completion(pages))


if __name__ == "__main__":
    main()
