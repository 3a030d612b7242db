import { existsSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { sleep } from "@fullstop/core/adapter";
import { createRecordingReader } from "@fullstop/inspect/view";
import { fileError, messageOf, UsageError } from "../files.ts";
import { interruptible } from "../interruptible.ts";
import { openInBrowser } from "./open-in-browser.ts";

interface LiveFlags {
  readonly port?: number;
  readonly untilEnd?: true;
  readonly open?: true;
}

/**
 * Serves the page of a recording until a signal comes, or its runs have ended.
 * @throws UsageError if the file is something else, or the port is in use.
 */
export async function serveLive(file: string, flags: LiveFlags): Promise<number> {
  if (file === "-") throw new UsageError("--live needs a file: it follows what is added to it.");
  await assertBeginning(file);
  const { serveRecording } = await import("@fullstop/inspect/live");
  const server = await serveRecording(file, { port: flags.port, onError: warn }).catch(explain);
  process.stdout.write(`${server.url}\n`);
  const work = async ({ signal }: AbortController): Promise<number> => {
    process.stderr.write(server.isWaiting ? waiting(file) : `Following ${file}. ${howToEnd}\n`);
    if (flags.open && !(await openInBrowser(server.url)))
      process.stderr.write(
        "fullstop inspect: no browser could be opened. Open the address yourself.\n",
      );
    if (flags.untilEnd) await Promise.race([server.ended(), aborted(signal)]);
    else await aborted(signal);
    return 0;
  };
  try {
    return await interruptible(work, () => undefined);
  } finally {
    await server.close();
  }
}

const howToEnd = "Ctrl-C ends it.";
const waiting = (file: string): string =>
  `${file} does not exist yet. The page shows it as soon as a run is recorded in it. ${howToEnd}\n`;

const aborted = (signal: AbortSignal): Promise<void> => sleep(Number.POSITIVE_INFINITY, signal);

const warn = ({ message }: Error): void => {
  process.stderr.write(`fullstop inspect: ${message}\n`);
};

function explain(thrown: unknown): never {
  throw new UsageError(`the page cannot be served: ${messageOf(thrown)}. --port chooses the port.`);
}

const headBytes = 64 * 1024;

/** A file that exists must begin as a recording. Its first line may still be incomplete. */
async function assertBeginning(file: string): Promise<void> {
  const beginning = await readBeginning(file);
  const end = beginning.indexOf("\n");
  if (end >= 0 || beginning.length >= headBytes)
    createRecordingReader().push(`${beginning.slice(0, end)}\n`);
}

/** Empty if the file does not exist yet. */
async function readBeginning(file: string): Promise<string> {
  if (!existsSync(file)) return "";
  try {
    if (!(await stat(file)).isFile()) throw new Error("it is a folder or a device");
    const handle = await open(file);
    const { buffer, bytesRead } = await handle
      .read(Buffer.alloc(headBytes), 0, headBytes, 0)
      .finally(() => handle.close());
    return buffer.toString("utf8", 0, bytesRead);
  } catch (thrown) {
    throw fileError("read", file, thrown);
  }
}
