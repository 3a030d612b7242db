import {
  type OpenedPage,
  type OpenOptions,
  openAsFile,
  type Page,
  type TestBrowser,
} from "@tooling/test/browser";
import { expect } from "vitest";
import { toPage } from "../../src/page/index.ts";

/** Opens a recording as a file, as a reader does. */
export async function openRecordingPage(
  browser: TestBrowser,
  recording: string,
  options?: OpenOptions,
): Promise<OpenedPage> {
  const html = toPage(recording, { title: "run.jsonl" });
  const opened = await openAsFile(browser, html, { ...options, permits: "data:" });
  await opened.page.locator(".pane h2").first().waitFor({ state: "attached" });
  return opened;
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
