import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const variable = "FULLSTOP_CHROMIUM";
const names: readonly string[] = ["chromium", "chromium-browser", "google-chrome"];

/** What to do if there is none. */
export const missingChromium: string =
  `No Chromium was found. Install it (Debian and Ubuntu: apt-get install chromium), ` +
  `or set ${variable} to the program of a Chromium or Chrome.`;

/** The program of a Chromium on this machine. */
export function findChromium(): string | undefined {
  const named = process.env[variable];
  if (named !== undefined && named !== "") {
    if (!existsSync(named)) throw new Error(`${variable} names a file that does not exist.`);
    return named;
  }
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const programs = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return programs.find((program) => existsSync(program));
}
