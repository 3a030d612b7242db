import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBrowser } from "@tooling/test/browser";
import { expect, onTestFinished, test } from "vitest";
import { serveRecording } from "../../src/live/index.ts";
import { anchorOf } from "./open-page.ts";
import { recordLong } from "./recordings.ts";

const browser = await startBrowser();

test("what arrives does not move what the reader reads, until the reader follows again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "inspect-following-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "run.jsonl");
  const lines = (await recordLong(60)).text.split("\n").map((line) => `${line}\n`);
  const half = Math.floor(lines.length / 2);
  writeFileSync(file, lines.slice(0, half).join(""));
  const server = await serveRecording(file);
  const context = await browser.newContext({ viewport: { width: 1000, height: 600 } });
  onTestFinished(async () => {
    await context.close();
    await server.close();
  });
  const page = await context.newPage();
  await page.goto(server.url);
  const count = () => page.getByRole("button", { name: /^All/ }).locator(".count").textContent();
  const rows = async () => Number(await count());

  await expect.poll(rows).toBeGreaterThan(50);
  await expect.poll(() => anchorOf(page)).toMatch(/turn-(29|30|31)-reply-1$/);
  await expect.poll(() => page.getByText("Live", { exact: true }).isVisible()).toBe(true);
  await page.locator(".outline").evaluate((list) => list.scrollTo(0, 200));
  await page.locator(".outline-row").filter({ hasText: "Turn 4" }).first().click();
  const follow = page.getByRole("button", { name: "Follow the newest" });
  await expect.poll(() => follow.getAttribute("aria-pressed")).toBe("false");
  await page.locator(".pane").evaluate((pane) => pane.scrollTo(0, 150));
  const places = () =>
    page.evaluate(() =>
      [".outline", ".pane"].map((name) => document.querySelector(name)?.scrollTop),
    );
  const before = { places: await places(), anchor: await anchorOf(page), rows: await rows() };

  appendFileSync(file, lines.slice(half).join(""));
  await expect.poll(rows).toBe(120);
  await expect.poll(places).toEqual(before.places);
  await expect.poll(() => anchorOf(page)).toBe(before.anchor);
  await follow.click();
  await expect.poll(() => anchorOf(page)).toBe("reply-run-1-turn-60-reply-1");
});
