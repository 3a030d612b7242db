import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Recording } from "@fullstop/inspect/view";
import { UsageError, writeOutput } from "../files.ts";
import { openInBrowser } from "./open-in-browser.ts";

interface PageFlags {
  readonly output?: string;
  readonly open?: true;
}

/** The source of the page: its file, its text, and the text as a recording. */
export interface ReadFile {
  readonly file: string;
  readonly text: string;
  readonly recording: Recording;
}

/**
 * Writes the page of a recording, and opens it if it should.
 * @throws UsageError if it cannot be written, or another file has the name that it gets by itself.
 */
export async function writePage({ file, text }: ReadFile, flags: PageFlags): Promise<void> {
  const output = flags.output ?? outputFor(file);
  // Making the page takes a moment, and the other commands do not need it.
  const { toPage } = await import("@fullstop/inspect/page");
  const page = toPage(text, { title: file === "-" ? "Recording" : basename(file) });
  if (output === "-") {
    process.stdout.write(page);
    return;
  }
  if (file !== "-" && resolve(output) === resolve(file))
    throw new UsageError("--output is the recording. Name another file.");
  if (flags.output === undefined) await assertOwnPage(output);
  // A recording holds what was said, so its page is for its owner only, as it is itself.
  await writeOutput(output, page, 0o600);
  process.stdout.write(`${output}\n`);
  if (flags.open && !(await openInBrowser(pathToFileURL(output).href)))
    process.stderr.write(
      `fullstop inspect: no browser could be opened. Open ${resolve(output)} yourself.\n`,
    );
}

/** A page that was made before may be replaced. */
async function assertOwnPage(output: string): Promise<void> {
  if (!existsSync(output)) return;
  const known = await readFile(output, "utf8").catch(() => "");
  if (!known.includes("· Fullstop</title>"))
    throw new UsageError(
      `${output} is not the page of a recording, and stays as it is. Name a file with --output.`,
    );
}

/** Beside the recording: `run.html` for `run.jsonl`. */
const outputFor = (file: string): string =>
  file === "-" ? "-" : `${file.slice(0, file.length - extname(file).length)}.html`;
