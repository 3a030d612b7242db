import {
  type OpenedPage,
  type OpenOptions,
  openAsFile,
  type Page,
  type TestBrowser,
} from "@tooling/test/browser";
import { buildPage } from "../src/build/page.ts";

let built: Promise<string> | undefined;
/** The page as it is published. */
export const pageText = (): Promise<string> => {
  built ??= buildPage();
  return built;
};

/** Opens the playground as a file. It needs no server. */
export async function openPlayground(
  browser: TestBrowser,
  options?: OpenOptions,
): Promise<OpenedPage> {
  const opened = await openAsFile(browser, await pageText(), options);
  await opened.page.locator(".results").waitFor();
  return opened;
}

/** Moves the slider, and waits until the page shows the reading of that cut. */
export async function cutAt(page: Page, cut: number): Promise<void> {
  await page.locator("#cut").fill(String(cut));
  await page.locator(`.results[data-cut="${cut}"]`).waitFor();
}
