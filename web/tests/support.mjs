// The server, the browser, and what a person does with the page. ZERMELO names the program; CHROMIUM the browser
// (default: chromium). The page is used at the size of a desk, by a mouse, and of a phone, by a finger.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const devices = {
  desk: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};
export const sizes = Object.keys(devices);
const patience = 30_000;
let server, browser;
export let data, root;

before(async () => {
  data = mkdtempSync(join(tmpdir(), "zermelo-page-"));
  server = spawn(process.env.ZERMELO, ["serve", "--port", "0", "--data", data], { stdio: ["ignore", "ignore", "pipe"] });
  root = await new Promise((resolve, reject) => {
    server.stderr.on("data", (text) => {
      const found = /http:\S+/.exec(String(text));
      if (found) resolve(found[0]);
    });
    server.on("exit", () => reject(new Error("the server ended")));
  });
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
});

after(async () => {
  await browser?.close();
  server?.kill();
  rmSync(data, { recursive: true, force: true });
});

// Every test opens a context of its own, so nothing is cached.
export async function open(path = "", size = "desk", options = {}) {
  const context = await browser.newContext({ ...devices[size], bypassCSP: false, ...options });
  const page = await context.newPage();
  page.isPhone = size === "phone";
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
  page.setDefaultTimeout(patience);
  await page.goto(root + path);
  return page;
}

export async function close(page, allowed = /$^/) {
  assert.deepEqual(page.problems.filter((text) => !allowed.test(text)), []);
  await page.context().close();
}

// Fails if axe finds serious problems. The page's policy permits no injected script, so it runs in an isolated world.
export async function accessible(page) {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId } = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
  const run = (expression) =>
    session.send("Runtime.evaluate", { expression, contextId: executionContextId, awaitPromise: true, returnByValue: true });
  await run(axe);
  const { result } = await run(
    "axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.filter(v => ['serious', 'critical'].includes(v.impact))" +
      ".map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html).join(' | ')))",
  );
  assert.deepEqual(result.value, []);
}

export const people = async (page) => {
  for (const box of await page.locator(".seat select").all()) {
    if ((await box.locator("option[value=person]").count()) > 0) await box.selectOption("person");
  }
};
export const step = (page) => page.getByTestId("step").innerText();
export const isAt = (page, at) => page.waitForFunction((n) => document.querySelector("[data-testid=step]")?.textContent?.startsWith(`${n} of`), at);
export const headline = (page) => page.getByTestId("headline").innerText();
// Waits until the headline contains a text: it follows the position as soon as the server has answered.
export const says = (page, text) => page.getByTestId("headline").getByText(text).waitFor();
export const cell = (page, id) => page.locator(`[data-cell="${id}"]`);
export const reacting = (page) => page.locator(".board .reacts");

export async function solve(page) {
  if ((await page.getByText("This game is solved").count()) > 0) return;
  await press(page, page.getByRole("button", { name: /Solve this game|Resume solving/ }));
  await page.getByText("This game is solved").waitFor();
}

// With the mouse, or a finger on a phone.
export const press = (page, what) => (page.isPhone ? what.tap() : what.click());

// The choice of a player for a role, of the program or of its strength.
export const setting = (page, name) => page.locator(".seat").filter({ hasText: new RegExp(`^${name}\\s`) }).locator("select");

// Nothing is cut off at the side, so the page need not be moved sideways.
export async function fits(page) {
  const [width, visible] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(width <= visible, `the page is ${width} wide, the window ${visible}`);
}

// Drops a file on an element.
export async function drop(page, selector, name, text) {
  const dataTransfer = await page.evaluateHandle(
    ([file, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], file));
      return transfer;
    },
    [name, text],
  );
  await page.dispatchEvent(selector, "drop", { dataTransfer });
}
