// The same clicks on games of every kind: boards, heaps, stacks, one to three players, moves at the same time.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { accessible, close, drop, fits, open, people, press, says, setting, sizes, solve, step } from "./support.mjs";

const games = [
  { id: "tic_tac_toe", solves: true, puzzles: true },
  { id: "connect_four" },
  { id: "breakthrough" },
  { id: "nim", solves: true, puzzles: true },
  { id: "eight_puzzle", solves: true },
  { id: "towers_of_hanoi", solves: true },
  { id: "three_player_tic_tac_toe" },
  { id: "rock_paper_scissors", lists: true },
];
const smallest = 24; // pixels, of a cell that is pressed (WCAG 2.2, target size)

const at = async (page) => parseInt(await step(page));
const isAtLeast = (page, number) =>
  page.waitForFunction((n) => parseInt(document.querySelector("[data-testid=step]")?.textContent ?? "-1") >= n, number);
const isExactlyAt = (page, text) => page.waitForFunction((t) => document.querySelector("[data-testid=step]")?.textContent === t, text);

// Every role that has a choice makes one: by the list, where nothing is drawn to press.
async function chooseFromLists(page) {
  const before = await at(page);
  const lists = page.locator("ol.moves");
  const count = await lists.count();
  for (let i = 0; i < count; ++i) await press(page, lists.nth(i).locator(".move").last());
  await isAtLeast(page, before + 1);
}

// Presses cells until a move is made: one or two, and an entry of the menu where several moves fit.
async function playOnBoard(page) {
  const before = await at(page);
  for (let i = 0; i < 4 && (await at(page)) === before; ++i) {
    const next = page.locator(".board .reacts:not(.picked)").last();
    if (page.isPhone) {
      const { width, height } = await next.boundingBox();
      assert.ok(Math.min(width, height) >= smallest, `a cell of ${width} by ${height}`);
    }
    await press(page, next);
    const menu = page.locator(".menu button").first();
    await page.waitForTimeout(200);
    if (await menu.isVisible()) await press(page, menu);
    await page.waitForTimeout(200);
  }
  await isAtLeast(page, before + 1);
}

async function stepThrough(page) {
  await press(page, page.getByRole("button", { name: "Undo" }));
  await isExactlyAt(page, "1 of 2");
  await press(page, page.getByRole("button", { name: "Redo" }));
  await isExactlyAt(page, "2 of 2");
  await press(page, page.getByRole("button", { name: "Undo" }));
  await press(page, page.getByRole("button", { name: "Undo" }));
  await isExactlyAt(page, "0 of 2");
  await press(page, page.getByRole("button", { name: "Last position" }));
  await isExactlyAt(page, "2 of 2");
}

async function shareLink(page) {
  const link = page.url();
  await press(page, page.getByRole("button", { name: "Link" }));
  await page.getByText("is a link to this position").waitFor();
  await page.goto("about:blank");
  await page.goto(link);
  await isAtLeast(page, 2);
  await people(page);
}

async function saveAndDropRecord(page) {
  const length = await at(page);
  const [file] = await Promise.all([page.waitForEvent("download"), press(page, page.getByRole("button", { name: "Save record" }))]);
  const record = readFileSync(await file.path(), "utf8");
  await press(page, page.getByRole("button", { name: "New game" }));
  await isExactlyAt(page, "0 of 0");
  await drop(page, ".play", "record.json", record);
  await page.getByText(`A record of ${length} steps`).waitFor();
  await isExactlyAt(page, `0 of ${length}`);
}

// The program makes all moves.
async function watch(page) {
  await press(page, page.getByRole("button", { name: "New game" }));
  await isExactlyAt(page, "0 of 0");
  await setting(page, "Program").selectOption("search");
  await setting(page, "Strength").selectOption("20");
  for (const seat of await page.locator(".seat select:has(option[value=program])").all()) await seat.selectOption("program");
  await page.waitForFunction(
    () => parseInt(document.querySelector("[data-testid=step]")?.textContent ?? "0") >= 3 || /over/.test(document.querySelector("[data-testid=headline]")?.textContent ?? ""),
  );
  await people(page);
}

async function seeValues(page) {
  await press(page, page.getByRole("button", { name: "New game" }));
  await page.locator(".move").first().waitFor();
  await solve(page);
  await page.locator(".move.best").first().waitFor();
  assert.match(await page.getByTestId("value").innerText(), /wins|draws|loses|reaches|gets/);
  await press(page, page.getByRole("button", { name: "Show the best line" }));
  await page.getByText("Step through it").waitFor();
  await press(page, page.getByRole("button", { name: "Last position" }));
  await says(page, /over/);
  await press(page, page.locator(".history button").nth(1));
  await page.waitForFunction(() => document.querySelector("[data-testid=step]")?.textContent?.startsWith("1 of"));
}

async function seeEstimates(page) {
  await press(page, page.getByRole("button", { name: "New game" }));
  await page.locator(".move").first().waitFor();
  await press(page, page.getByRole("button", { name: "Think about this position" }));
  await page.getByText(/≈ \d+ of 100|proved/).first().waitFor();
  await page.locator(".thoughts li").first().waitFor();
  const stop = page.getByTestId("think").getByRole("button", { name: "Stop" });
  if (await stop.isVisible()) await press(page, stop);
}

async function solvePuzzle(page) {
  await press(page, page.getByRole("link", { name: "Puzzles" }));
  await page.getByRole("heading", { name: "All puzzles" }).waitFor();
  await press(page, page.locator(".move").first());
  await page.getByTestId("verdict").waitFor();
  await fits(page);
}

async function lookInside(page) {
  await press(page, page.getByRole("link", { name: "Look inside" }));
  await page.getByText("Fluents by mutex group").waitFor();
  await page.getByText("Translations", { exact: true }).waitFor();
  await fits(page);
}

for (const size of sizes) {
  for (const game of games) {
    test(`${game.id}: played, watched, valued, saved and looked into (${size})`, async () => {
      const page = await open(`#/game/${game.id}/play`, size);
      await page.locator(".move").first().waitFor();
      await people(page);
      await fits(page);
      const play = game.lists ? chooseFromLists : playOnBoard;
      await play(page);
      await isExactlyAt(page, "1 of 1");
      await chooseFromLists(page);
      await isExactlyAt(page, "2 of 2");
      await stepThrough(page);
      await shareLink(page);
      await accessible(page);
      await saveAndDropRecord(page);
      await watch(page);
      await fits(page);
      await (game.solves ? seeValues(page) : seeEstimates(page));
      await fits(page);
      if (game.puzzles) await solvePuzzle(page);
      await lookInside(page);
      await close(page);
    });
  }
}
