#!/usr/bin/env python3
"""Draws many games and puts the pictures on contact sheets, to judge them by looking.

    bench/scenes.py [--zermelo PATH] [--out DIR] [--moves N] [--per-page N] [--only TEXT] [GAME...]

Without GAME: all shipped games, and those of ../shared/games/games where it exists. Every game is
drawn by `zermelo draw` after some random moves. DIR gets one SVG per game, the pages as HTML and PNG,
and scenes.tsv: game, seconds, boards, cells, tokens, and the fluents that are only listed. The pages
are rendered by Chromium (Debian package chromium, installed if it is missing and can be).
"""

import argparse
import html
import pathlib
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
SVG = "{http://www.w3.org/2000/svg}"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--zermelo", default=str(ROOT / "build/check/src/zermelo"))
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/scenes")
    parser.add_argument("--moves", type=int, default=12)
    parser.add_argument("--per-page", type=int, default=20)
    parser.add_argument("--only", default="", help="only games whose name contains this")
    parser.add_argument("--time", default="60s", help="limit per game")
    parser.add_argument("--no-pages", action="store_true", help="only the pictures and the table")
    parser.add_argument("games", nargs="*", type=pathlib.Path)
    return parser.parse_args()


def all_games():
    games = sorted((ROOT / "games").glob("*.kif"))
    shared = ROOT.parent / "shared" / "games" / "games"
    return games + sorted(shared.glob("*.kif"), key=lambda path: path.name.lower())


def picture_name(game):
    return f"{'shipped' if game.parent.name == 'games' and game.parent.parent == ROOT else 'shared'}-{game.stem}"


def draw(options, game, file):
    """Draws one game; returns its row of the table."""
    command = [options.zermelo, "draw", str(game), "--random", str(options.moves), "--time",
               options.time, "-o", str(file)]
    begin = time.monotonic()
    run = subprocess.run(command, capture_output=True, text=True)
    seconds = time.monotonic() - begin
    if run.returncode != 0:
        return [game.stem, f"{seconds:.2f}", "failed", run.stderr.strip().split("\n")[-1][:100], "", ""]
    tree = xml.etree.ElementTree.parse(file)
    count = lambda name: sum(1 for g in tree.iter(SVG + "g") if g.get("class") == name)
    return [game.stem, f"{seconds:.2f}", count("board"), count("cell"), count("token"),
            len(listed(tree))]


def listed(tree):
    """The fluents that the picture shows as text."""
    facts = [g for g in tree.iter(SVG + "g") if g.get("class") == "facts"]
    text = " ".join("".join(t.itertext()) for g in facts for t in g.iter(SVG + "text"))
    return re.findall(r"\([^()]*(?:\([^()]*\)[^()]*)*\)", text)


def install_chromium():
    if shutil.which("chromium"):
        return True
    subprocess.run(["apt-get", "install", "-y", "chromium"], stdout=subprocess.DEVNULL)
    return shutil.which("chromium") is not None


def render(page, image, rows):
    # Pictures are scaled to tiles of a fixed size, so that a page has a known height.
    subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
         f"--window-size=1640,{rows * 420 + 20}", f"--screenshot={image}", page.as_uri()],
        capture_output=True, timeout=180, check=False)


def write_page(pictures, page):
    tiles = "".join(
        f'<figure><figcaption>{html.escape(name)}</figcaption><img src="{html.escape(file.name)}"></figure>'
        for name, file in pictures)
    page.write_text(
        "<!doctype html><style>body{margin:10px;display:grid;grid-template-columns:repeat(4,400px);"
        "font:14px sans-serif}figure{margin:0;width:400px;height:420px;border:1px solid #ccc;"
        "box-sizing:border-box}figcaption{font-weight:bold;padding:2px 6px}"
        "img{max-width:396px;max-height:392px}</style>" + tiles)


def main():
    options = arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    games = [g for g in (options.games or all_games()) if options.only in g.stem]
    pictures = []
    with open(options.out / "scenes.tsv", "w") as table:
        print("game\tseconds\tboards\tcells\ttokens\tlisted", file=table)
        for game in games:
            name = picture_name(game.resolve())
            file = options.out / f"{name}.svg"
            row = draw(options, game, file)
            print(*row, sep="\t", file=table, flush=True)
            if row[2] == "failed":
                print(f"{name}: {row[3]}", file=sys.stderr)
            else:
                pictures.append((name, file))
    if options.no_pages or not install_chromium():
        return 0
    for number, first in enumerate(range(0, len(pictures), options.per_page)):
        part = pictures[first:first + options.per_page]
        page = options.out / f"page{number:02}.html"
        write_page(part, page)
        render(page, options.out / f"page{number:02}.png", -(-len(part) // 4))
    return 0


if __name__ == "__main__":
    sys.exit(main())
