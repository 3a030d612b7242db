import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page, TestBrowser } from "@tooling/test/browser";
import { expect, onTestFinished } from "vitest";
import { buildPage } from "../src/build/page.ts";

export const phone = { width: 360, height: 740 };
export const desktop = { width: 1280, height: 900 };

let built: Promise<string> | undefined;
/** The page as it is published. */
export const pageText = (): Promise<string> => {
  built ??= buildPage();
  return built;
};

interface OpenOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "light" | "dark";
  readonly hash?: string;
}

export interface OpenedPage {
  readonly page: Page;
  /** Errors and warnings of the page, and each request besides the one for the page itself. */
  readonly problems: readonly string[];
}

/** Opens the playground as a file. It needs no server. */
export async function openPlayground(
  browser: TestBrowser,
  { viewport = desktop, colorScheme = "light", hash = "" }: OpenOptions = {},
): Promise<OpenedPage> {
  const folder = mkdtempSync(join(tmpdir(), "playground-"));
  const file = join(folder, "index.html");
  writeFileSync(file, await pageText());
  const context = await browser.newContext({ viewport, colorScheme });
  onTestFinished(async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const page = await context.newPage();
  const address = pathToFileURL(file).href;
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== address) problems.push(`requested ${request.url()}`);
  });
  await page.goto(`${address}${hash}`);
  await page.locator(".results").waitFor();
  return { page, problems };
}

/** Moves the slider, and waits until the page shows the reading of that cut. */
export async function cutAt(page: Page, cut: number): Promise<void> {
  await page.locator("#cut").fill(String(cut));
  await page.locator(`.results[data-cut="${cut}"]`).waitFor();
}

/** The page itself never scrolls sideways. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}
