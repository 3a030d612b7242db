import { mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Page, startBrowser } from "@tooling/test/browser";
import { expect, onTestFinished, test } from "vitest";
import { serveRecording } from "../../src/live/index.ts";
import { readRecording, viewRecording } from "../../src/view/index.ts";
import { startRun } from "./run-process.ts";

const browser = await startBrowser();

const newPath = (name = "run.jsonl"): string => {
  const folder = mkdtempSync(join(tmpdir(), "fullstop-live-page-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, name);
};
const viewOf = (path: string) => viewRecording(readRecording(readFileSync(path, "utf8")));
const repliesIn = (path: string): number =>
  viewOf(path).runs.flatMap(({ turns }) => turns.flatMap(({ replies }) => replies)).length;
const replyRows = (page: Page) => page.locator(".outline-row.reply");
const outlineOf = (page: Page): Promise<string> =>
  page
    .locator(".outline-row")
    .allInnerTexts()
    .then((texts) => texts.join("\n"));

/** The list, after the page has got the last line of the file: that the run has ended. */
async function shownWhole(page: Page, path: string): Promise<string> {
  const summary = viewOf(path).runs[0]?.outcome?.summary ?? "";
  expect(summary).not.toBe("");
  await expect.poll(() => outlineOf(page)).toContain(summary);
  return outlineOf(page);
}

async function openLive(path: string) {
  const server = await serveRecording(path);
  const context = await browser.newContext();
  onTestFinished(async () => {
    await context.close();
    await server.close();
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(server.url);
  return { page, problems };
}

test("a page follows a run that another process records, and a reload shows the same", async () => {
  const path = newPath();
  const { page, problems } = await openLive(path);
  await page.getByText("Nothing has been recorded yet.").waitFor();
  const run = startRun(path);
  const seen: number[] = [];
  let at = await run.next();
  for (; at === "turn" || at === "tool"; at = await run.next()) {
    // All that the run has done is in the file before it goes on.
    const replies = at === "tool" ? repliesIn(path) : 0;
    if (at === "tool") {
      await expect.poll(() => replyRows(page).count()).toBe(replies);
      seen.push(replies);
    }
    run.go();
  }
  expect(at).toBe("done");
  expect(seen.length).toBeGreaterThan(1);
  expect(seen).toEqual([...new Set(seen)].toSorted((one, other) => one - other));
  await expect.poll(() => replyRows(page).count()).toBe(repliesIn(path));
  const shown = await shownWhole(page, path);
  expect(shown).toContain("withheld");
  await page.reload();
  await expect.poll(() => outlineOf(page)).toBe(shown);
  expect(problems).toEqual([]);
});

test("a run whose process was killed shows what it had, and another file takes its place", async () => {
  const path = newPath();
  const { page, problems } = await openLive(path);
  const killed = startRun(path);
  while ((await killed.next()) !== "tool") killed.go();
  await killed.kill();
  await expect.poll(() => replyRows(page).count()).toBe(1);
  const other = newPath("other.jsonl");
  const run = startRun(other);
  for (let at = await run.next(); at === "turn" || at === "tool"; at = await run.next()) run.go();
  renameSync(other, path);
  await expect.poll(() => replyRows(page).count()).toBe(repliesIn(path));
  await expect.poll(() => page.locator(".outline-row.run").count()).toBe(1);
  const shown = await shownWhole(page, path);
  await page.reload();
  await expect.poll(() => outlineOf(page)).toBe(shown);
  expect(problems).toEqual([]);
});
