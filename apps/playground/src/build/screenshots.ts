import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findChromium, missingChromium } from "@tooling/test/chromium";
import { chromium } from "playwright-core";
import { buildPage } from "./page.ts";

const maxBytes = 300_000;

/** Shows the first state of the page in light and dark: docs/playground-*.png. */
async function main(): Promise<void> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(missingChromium);
  const folder = mkdtempSync(join(tmpdir(), "playground-"));
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
  try {
    const file = join(folder, "index.html");
    writeFileSync(file, await buildPage());
    for (const colorScheme of ["light", "dark"] as const) {
      const path = fileURLToPath(
        new URL(`../../../../docs/playground-${colorScheme}.png`, import.meta.url),
      );
      const tab = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 760 } });
      await tab.goto(pathToFileURL(file).href);
      await tab.locator(".loop.wrong").waitFor();
      await tab.locator(".tape-lane.gate .segment").waitFor();
      await tab.screenshot({ path });
      const { size } = statSync(path);
      if (size > maxBytes) throw new Error(`${path} has ${size} bytes, more than ${maxBytes}.`);
      process.stdout.write(`${path}: ${size} bytes\n`);
    }
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

await main();
