// Makes the screenshots of the README: ZERMELO=path node web/screenshots.mjs. Solves tic-tac-toe and a small connect
// four in a temporary folder first.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const images = join(dirname(fileURLToPath(import.meta.url)), "..", "docs", "images");
const data = mkdtempSync(join(tmpdir(), "zermelo-screenshots-"));
const server = spawn(process.env.ZERMELO, ["serve", "--port", "0", "--data", data], { stdio: ["ignore", "ignore", "pipe"] });
const root = await new Promise((resolve) => {
  server.stderr.on("data", (text) => /http:\S+/.test(text) && resolve(/http:\S+/.exec(String(text))[0]));
});
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });

async function shoot(name, path, prepare, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 820 }, ...options });
  const page = await context.newPage();
  await page.goto(root + path);
  await prepare(page);
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(images, name) });
  await context.close();
}

async function people(page) {
  await page.locator(".move").first().waitFor();
  for (const box of await page.locator(".seat select").all()) {
    if ((await box.locator("option[value=person]").count()) > 0) await box.selectOption("person");
  }
}

async function solve(page) {
  await people(page);
  const button = page.getByRole("button", { name: "Solve this game" });
  if (await button.isVisible()) await button.click();
  await page.getByText("This game is solved").waitFor({ timeout: 300_000 });
  await page.locator(".move .worth").first().waitFor();
}

await shoot("page_games.png", "", async (page) => {
  await page.locator(".card").nth(20).waitFor();
  await page.waitForFunction(
    () => [...document.querySelectorAll(".card img")].slice(0, 10).every((image) => image.complete && image.naturalWidth > 0),
    null,
    { timeout: 120_000 },
  );
});

const rules = await (
  await fetch(root + "api/v1/generate", { method: "POST", body: JSON.stringify({ family: "connect-four", sizes: ["5", "4"] }) })
).json();
await shoot("page_values.png", `#/game/${rules.id}/play`, async (page) => {
  await solve(page);
  for (const choice of [2, 2, 3, 0, 1]) {
    const before = await page.getByTestId("step").innerText();
    await page.locator(".move").nth(choice).click();
    await page.waitForFunction((old) => document.querySelector("[data-testid=step]").textContent !== old, before);
  }
  await page.locator(".move").first().hover();
});

await shoot(
  "page_puzzle.png",
  "#/game/tic_tac_toe/play",
  async (page) => {
    await solve(page);
    await page.getByRole("link", { name: "Puzzles" }).click();
    await page.locator(".board svg").waitFor();
  },
  { colorScheme: "dark" },
);

await browser.close();
server.kill();
rmSync(data, { recursive: true, force: true });
