import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeEach, expect, onTestFinished } from "vitest";
import { findChromium, missingChromium } from "./chromium.ts";

export type { BrowserContext, Page } from "playwright-core";

/** What a test may do with the browser. It ends after the tests of the file. */
export type TestBrowser = Pick<Browser, "newContext" | "newPage">;

/**
 * Starts the Chromium of this machine without a window. If it has none, each test of the file is
 * skipped with a sentence. Call it once, at the top of a file `*.browser.test.ts`.
 */
export async function startBrowser(): Promise<TestBrowser> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    beforeEach(({ skip }) => skip(missingChromium));
    return unavailable;
  }
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
  afterAll(() => browser.close());
  return browser;
}

/** What the tests see of a browser that is missing. They are skipped before they use it. */
const unavailable: TestBrowser = {
  newContext: () => Promise.reject(new Error(missingChromium)),
  newPage: () => Promise.reject(new Error(missingChromium)),
};

export const phone = { width: 360, height: 740 };
export const desktop = { width: 1280, height: 900 };

export interface OpenOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "light" | "dark";
  /** The part of the address behind `#`. */
  readonly hash?: string;
  /** How addresses begin that the page may request. */
  readonly permits?: string;
}

export interface OpenedPage {
  readonly page: Page;
  /** Errors and warnings of the page, and each request besides the one for the page itself. */
  readonly problems: readonly string[];
}

/** Opens an HTML text as a file, as a reader does. */
export function openAsFile(
  browser: TestBrowser,
  html: string,
  options?: OpenOptions,
): Promise<OpenedPage> {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  const file = join(folder, "page.html");
  writeFileSync(file, html);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return openAt(browser, pathToFileURL(file).href, options);
}

/** Opens the page at an address. */
export async function openAt(
  browser: TestBrowser,
  address: string,
  { viewport = desktop, colorScheme = "light", hash = "", permits }: OpenOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport, colorScheme });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("request", (request) => {
    const url = request.url();
    const isPermitted = permits !== undefined && url.startsWith(permits);
    if (url.split("#")[0] !== address && !isPermitted) problems.push(`requested ${url}`);
  });
  await page.goto(`${address}${hash === "" ? "" : `#${hash}`}`);
  return { page, problems };
}

/** The page itself never scrolls sideways. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}
