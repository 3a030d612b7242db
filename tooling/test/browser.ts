import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeEach } from "vitest";
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
