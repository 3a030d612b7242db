import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Installed when a test first needs it, not by `pnpm install`: 80 MB for a single test. */
const packages = { "playwright-core": "1.65.1", "@sparticuz/chromium": "153.0.0" };
const cache = fileURLToPath(new URL("../../../node_modules/.cache/", import.meta.url));
const folder = join(cache, `browser-${Object.values(packages).join("-")}`);

export interface Page {
  goto(url: string): Promise<unknown>;
  on(event: "console", listener: (message: { type(): string; text(): string }) => void): void;
  on(event: "request", listener: (request: { url(): string }) => void): void;
  on(event: "pageerror", listener: (error: Error) => void): void;
  evaluate<Found>(expression: string): Promise<Found>;
  click(selector: string): Promise<void>;
  press(selector: string, key: string): Promise<void>;
  textContent(selector: string): Promise<string | null>;
}
interface PageOptions {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: "light" | "dark";
}
export interface Browser {
  newPage(options: PageOptions): Promise<Page>;
  close(): Promise<void>;
}

function install(): void {
  if (existsSync(folder)) return;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, "browser-"));
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  const quiet = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  execFileSync("npm", ["install", "--prefix", fresh, ...quiet, ...wanted], {
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  mkdirSync(join(fresh, "tmp"));
  try {
    renameSync(fresh, folder);
  } catch (thrown) {
    rmSync(fresh, { recursive: true });
    if (!existsSync(folder)) throw thrown;
  }
}

/** Starts Chromium from npm if there is one for this machine, otherwise the installed Chrome. */
export async function launch(): Promise<Browser> {
  install();
  const load = createRequire(join(folder, "package.json"));
  const { chromium } = load("playwright-core") as {
    chromium: { launch(options: object): Promise<Browser> };
  };
  const args = ["--no-sandbox", "--disable-gpu"];
  if (process.platform !== "linux" || process.arch !== "x64")
    return chromium.launch({ channel: "chrome", args });
  // It unpacks into its own folder, uses the fonts of the system, and brings the libraries that slim
  // systems lack.
  const lambda = {
    AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x",
    AWS_LAMBDA_JS_RUNTIME: "nodejs22.x",
  };
  Object.assign(process.env, {
    TMPDIR: join(folder, "tmp"),
    FONTCONFIG_PATH: "/etc/fonts",
    ...lambda,
  });
  const packed = load("@sparticuz/chromium") as { default: { executablePath(): Promise<string> } };
  return chromium.launch({ executablePath: await packed.default.executablePath(), args });
}
