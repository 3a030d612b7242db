import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findChromium, missingChromium } from "@tooling/test/chromium";
import { chromium } from "playwright-core";
import { toPage } from "../src/page/index.ts";

/** The reply of the demo that a host cut and relabelled: its input ends in `rm -rf ~/`. */
const reply = "run-1-turn-2-reply-1";
const maxBytes = 300_000;

const fileOf = (path: string): string =>
  fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** Records the demo, and shows the reply in the light and in the dark theme: docs/inspect-*.png. */
async function main(): Promise<void> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(missingChromium);
  const folder = mkdtempSync(join(tmpdir(), "inspect-screenshots-"));
  try {
    const recording = join(folder, "demo.jsonl");
    await recordDemo(recording);
    const page = join(folder, "demo.html");
    writeFileSync(page, toPage(readFileSync(recording, "utf8"), { title: "demo.jsonl" }));
    const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
    try {
      for (const colorScheme of ["light", "dark"] as const) {
        const path = fileOf(`docs/inspect-${colorScheme}.png`);
        const tab = await browser.newPage({
          colorScheme,
          viewport: { width: 1280, height: 1000 },
        });
        await tab.goto(`${pathToFileURL(page).href}#reply-${reply}`);
        await tab.getByText("rm -rf ~/").first().waitFor();
        await tab.screenshot({ path });
        report(path);
      }
    } finally {
      await browser.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function recordDemo(file: string): Promise<void> {
  const demo = spawn(
    process.execPath,
    ["--conditions=@fullstop/source", fileOf("apps/cli/src/main.ts"), "demo", "--record", file],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const [code] = await once(demo, "exit");
  if (code !== 0) throw new Error(`The demo ended with the code ${code}.`);
}

function report(path: string): void {
  const { size } = statSync(path);
  if (size > maxBytes) throw new Error(`${path} has ${size} bytes, more than ${maxBytes}.`);
  process.stdout.write(`${path}: ${size} bytes\n`);
}

await main();
