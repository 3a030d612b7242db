import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page, TestBrowser } from "@tooling/test/browser";
import { expect, onTestFinished } from "vitest";
import { toPage } from "../../src/page/index.ts";

export const phone = { width: 360, height: 740 };
export const desktop = { width: 1280, height: 900 };

interface OpenOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "light" | "dark";
  /** The part of the address behind `#`. */
  readonly hash?: string;
}

export interface OpenedPage {
  readonly page: Page;
  /** Errors and warnings of the page, and each request besides the one for the page itself. */
  readonly problems: readonly string[];
}

/** Opens a recording as a file, as a reader does. */
export async function openRecordingPage(
  browser: TestBrowser,
  recording: string,
  { viewport = desktop, colorScheme = "light", hash = "" }: OpenOptions = {},
): Promise<OpenedPage> {
  const folder = mkdtempSync(join(tmpdir(), "inspect-page-"));
  const file = join(folder, "page.html");
  writeFileSync(file, toPage(recording, { title: "run.jsonl" }));
  const context = await browser.newContext({ viewport, colorScheme });
  onTestFinished(async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const page = await context.newPage();
  const problems = watch(page, pathToFileURL(file).href);
  await page.goto(`${pathToFileURL(file).href}${hash === "" ? "" : `#${hash}`}`);
  await page.locator(".pane h2").first().waitFor({ state: "attached" });
  return { page, problems };
}

/** Collects what should not happen. */
export function watch(page: Page, address: string): readonly string[] {
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== address && !request.url().startsWith("data:"))
      problems.push(`requested ${request.url()}`);
  });
  return problems;
}

/** The page itself never scrolls sideways. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const { wide, window } = await page.evaluate(() => ({
    wide: Math.max(
      document.documentElement.scrollWidth,
      document.querySelector(".pane")?.scrollWidth ?? 0,
    ),
    window: innerWidth,
  }));
  expect(wide).toBeLessThanOrEqual(window);
}

/** The name of the row that is selected. */
export const anchorOf = (page: Page): Promise<string> =>
  page.evaluate(() => decodeURIComponent(location.hash.slice(1)));
