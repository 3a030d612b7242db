import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { FollowedFile } from "./follow-file.ts";

interface StreamOptions {
  /** The number of the last line that the client has; 0 if it has none. */
  readonly after: number;
  readonly signal: AbortSignal;
}

const beatMs = 15_000;
/** A client that takes nothing for so long is cut off. */
const stalledMs = 60_000;
const retryMs = 1_000;

/**
 * Sends the lines of a file as Server-Sent Events until the file ends or `signal` aborts. It reads the file only as
 * fast as the client does. The event `reset` says that another file took its place.
 * @throws if the client goes away, or takes nothing.
 */
export async function streamLines(
  response: ServerResponse,
  file: FollowedFile,
  { after, signal }: StreamOptions,
): Promise<void> {
  const beat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(":\n\n");
  }, beatMs);
  try {
    await send(response, `retry: ${retryMs}\n\n`, signal);
    let sent = after;
    while (!signal.aborted) {
      const { text, last } = await readNext(file, sent);
      sent = last;
      if (text !== "") await send(response, text, signal);
      else if (file.hasEnded) return;
      else if (isUpToDate(file, sent)) await file.next(signal);
    }
  } finally {
    clearInterval(beat);
  }
}

const isUpToDate = ({ edition }: FollowedFile, sent: number): boolean =>
  edition === undefined || sent === edition.last;

async function readNext(
  { edition }: FollowedFile,
  sent: number,
): Promise<{ readonly text: string; readonly last: number }> {
  if (edition === undefined || sent === edition.last) return { text: "", last: sent };
  // Lines of an earlier edition, or ones that this edition does not have.
  if (sent < edition.base || sent > edition.last)
    return { text: `id: ${edition.base}\nevent: reset\ndata: reset\n\n`, last: edition.base };
  const lines = (await edition.readAfter(sent)) ?? [];
  return { text: lines.map(toMessage(sent + 1)).join(""), last: sent + lines.length };
}

/** A carriage return would end the field. In JSON it is white space between values. */
const toMessage =
  (first: number) =>
  (line: string, index: number): string =>
    `id: ${first + index}\ndata: ${line.replaceAll("\r", " ")}\n\n`;

async function send(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted || response.write(text)) return;
  const stalled = AbortSignal.timeout(stalledMs);
  await once(response, "drain", { signal: AbortSignal.any([signal, stalled]) });
}
