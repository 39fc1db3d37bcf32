#!/usr/bin/env python3
"""Plays matches of the default player, `auto`, against other players.

    bench/matches.py --budget 280
    bench/matches.py --games breakthrough,othello --opponents "uct alone" --number 40 --clock 0.2
    bench/matches.py --report

The player (--player) plays --number games of every game against each opponent, with rotating roles
(`zermelo match`); in games with more roles, the opponent plays all other roles. Games are played in
parts of --part games with seeds of their own. One line per part is appended to the file (--out) when
it finishes, so a run that was interrupted, or that stopped after --budget seconds, can be resumed.
--report prints the file as a table with 95% intervals and plays nothing. At the end every game that
the player lost more often than it won is listed, with the result of a sign test at 5%. Exit code 1 if
a losing record is statistically significant.
"""

import argparse
import json
import subprocess
import sys
import time

from grounding import ROOT, built_program
from table_file import add_row, add_table_options, read_rows

SHARED = ROOT.parent / "shared/games/games"
GAMES = ["breakthrough", "knightThrough", "connect_four", "othello", "checkers", "speedChess__v1",
         "chineseCheckers2", "pentago__v1", "amazons_8x8", "chinese_checkers_3"]
# `uct alone` is what `auto` was before it had a choice: no proofs by proof-number search.
OPPONENTS = {"uct alone": "uct:time={clock}s,tactics=0", "uct": "uct:time={clock}s",
             "uct without proofs": "uct:time={clock}s,proofs=no",
             "alphabeta": "alphabeta:time={clock}s", "random": "random"}
KEY = ("player", "game", "opponent", "clock", "seed")
FIELDS = [*KEY, "own", "others", "choice"]


def rules_of(game):
    path = ROOT / f"games/{game}.kif"
    return path if path.exists() else SHARED / f"{game}.kif"


def roles_of(game, arguments):
    command = [arguments.zermelo, "info", rules_of(game), "--json", "--time", "60s"]
    return len(json.loads(subprocess.run(command, capture_output=True, text=True).stdout)["roles"])


def goals(answer):
    """Returns the goals of the first player and the mean goals of the others, of completed games."""
    own, others = [], []
    for number, record in enumerate(answer["records"]):
        if not record["isCompleted"]:
            continue
        values = list(record["goalValues"])
        own.append(values.pop(number % len(values)))
        others.append(sum(values) / len(values))
    return own, others


def spec_of(text, clock):
    if "{clock}" in text:
        return text.format(clock=clock)
    if text.split(":")[0] in ("random", "legal", "perfect"):
        return text
    return f"{text}{',' if ':' in text else ':'}time={clock}s"


def play(game, opponent, seed, arguments):
    """Plays one part; the player has the first role in its first game."""
    other = spec_of(OPPONENTS.get(opponent, opponent), arguments.clock)
    command = [arguments.zermelo, "match", rules_of(game), "--json", "--seed", str(seed),
               "--games", str(arguments.part), "--threads", str(arguments.threads),
               "--player", spec_of(arguments.player, arguments.clock)]
    for _ in range(roles_of(game, arguments) - 1):
        command += ["--player", other]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    own, others = goals(answer)
    row = dict(zip(KEY, (arguments.player, game, opponent, arguments.clock, str(seed))))
    row.update(own=" ".join(map(str, own)), others=" ".join(f"{goal:g}" for goal in others),
               choice=answer["choices"][0] if answer.get("choices") else "")
    return row


def run_all(arguments):
    begin = time.monotonic()
    parts = -(-arguments.number // arguments.part)
    for seed in range(1, parts + 1):
        for game in arguments.games.split(","):
            for opponent in arguments.opponents.split(","):
                key = (arguments.player, game, opponent, arguments.clock, str(seed))
                if key in read_rows(arguments.out, *KEY):
                    continue
                if time.monotonic() - begin > arguments.budget:
                    return
                row = play(game, opponent, seed, arguments)
                add_row(arguments.out, FIELDS, row)
                print(game, opponent, row["own"], row["choice"], flush=True)


def mean_goal(own):
    """The mean and half the width of its 95% interval, by the normal approximation."""
    count = len(own)
    mean = sum(own) / count
    variance = sum((goal - mean) ** 2 for goal in own) / max(count - 1, 1)
    return mean, 1.96 * (variance / count) ** 0.5


def merged(rows):
    """Maps player, game, opponent and clock to the goals of all parts, and the choices of `auto`."""
    results = {}
    for row in rows.values():
        own, others, choices = results.setdefault(tuple(row[field] for field in KEY[:4]), ([], [], []))
        own += map(float, row["own"].split())
        others += map(float, row["others"].split())
        if row["choice"]:
            choices.append(row["choice"].split(": ")[0])
    return results


def outcomes(own, others):
    wins = sum(a > b for a, b in zip(own, others))
    losses = sum(a < b for a, b in zip(own, others))
    return wins, len(own) - wins - losses, losses


def report(results):
    print("Mean goal of the player, with 95% intervals, and games won, drawn and lost:\n")
    print("| player | game | opponent | clock | games | mean goal | won | drawn | lost | choices |")
    print("|---" * 10 + "|")
    for (player, game, opponent, clock), (own, others, choices) in results.items():
        mean, half_width = mean_goal(own)
        wins, draws, losses = outcomes(own, others)
        chosen = ", ".join(f"{name} {choices.count(name)}" for name in sorted(set(choices)))
        print(f"| {player} | {game} | {opponent} | {clock} s | {len(own)} | {mean:.1f} ± {half_width:.1f} | "
              f"{wins} | {draws} | {losses} | {chosen} |")
    print()


def is_significant(wins, losses):
    """The sign test at 5%, with the normal approximation. Draws are ignored."""
    return abs(wins - losses) > 1.96 * (wins + losses) ** 0.5


def losing(results):
    """Yields a sentence for each losing record, and whether it is significant."""
    for (_, game, opponent, _), (own, others, _) in results.items():
        wins, _, losses = outcomes(own, others)
        if wins < losses:
            significant = is_significant(wins, losses)
            yield (f"{game} against {opponent}: {wins} won, {losses} lost, "
                   f"{'significant' if significant else 'not significant'}", significant)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_table_options(parser, "matches.tsv")
    parser.add_argument("--player", default="auto")
    parser.add_argument("--games", default=",".join(GAMES), help="shipped games, or files of ../shared/games/games")
    parser.add_argument("--opponents", default="uct alone", help="of the known ones, or specifications")
    parser.add_argument("--number", type=int, default=40, help="number of games against each opponent")
    parser.add_argument("--part", type=int, default=10, help="games in one run of `zermelo match`")
    parser.add_argument("--clock", default="0.2", help="seconds per move")
    parser.add_argument("--threads", type=int, default=1, help="number of parallel games")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    if not arguments.report:
        arguments.zermelo = arguments.zermelo or built_program()
        run_all(arguments)
    results = merged(read_rows(arguments.out, *KEY))
    if not results:
        sys.exit(f"no results in {arguments.out}")
    if arguments.report:
        report(results)
    found = list(losing(results))
    print("\n".join(sentence for sentence, _ in found) or "no losing record")
    return 1 if any(significant for _, significant in found) else 0


if __name__ == "__main__":
    sys.exit(main())
