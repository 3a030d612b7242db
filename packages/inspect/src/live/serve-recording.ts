import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";
import {
  anyFunction,
  checkGiven,
  checkOptions,
  type OptionKind,
  type OptionKinds,
} from "@fullstop/core/adapter";
import { toPage } from "../page/index.ts";
import { createRecordingReader } from "../recording-reader.ts";
import { streamLines } from "./event-stream.ts";
import { type FollowedFile, followFile } from "./follow-file.ts";
import type { Edition } from "./growing-file.ts";

/** Options of `serveRecording`. */
export interface LiveOptions {
  /** Default: a free one. */
  readonly port?: number | undefined;
  /** The file cannot be read any more. The server goes on with what it has, and tries again. */
  readonly onError?: ((error: Error) => void) | undefined;
}

const portNumber: OptionKind = {
  isValid: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
  expected: "a whole number, from 0 to 65535",
};
const liveKinds: OptionKinds<Required<LiveOptions>> = { port: portNumber, onError: anyFunction };

/** A page on the loopback that shows a recording while it is written. */
export interface LiveServer {
  /** The address of the page. It contains a secret: only a reader who knows it gets the recording. */
  readonly url: string;
  /** Whether the recording exists yet. */
  readonly isWaiting: boolean;
  /**
   * Resolves when a run of the recording has ended and no other one is under way, and every page has
   * its last line. A program that starts another run later is not waited for.
   * @throws RecordingError if the file is not a recording.
   */
  ended(): Promise<void>;
  /** Ends all connections, and stops to read the file. */
  close(): Promise<void>;
}

/** A browser opens one for each tab. */
const maxStreams = 32;
const maxConnections = 128;

/**
 * Serves a page that follows a recording: the file may not exist yet, may grow, and may be replaced.
 * The server listens on 127.0.0.1 only.
 * @throws what the system says, for example if the port is in use, and TypeError for an option that
 * cannot work.
 */
export async function serveRecording(path: string, options: LiveOptions = {}): Promise<LiveServer> {
  checkGiven(path, "serveRecording", "the path of a recording", "string");
  checkOptions(options, liveKinds, { of: "serveRecording" });
  const { port = 0, onError = () => undefined } = options;
  const file = await followFile(path, onError);
  const token = randomBytes(16).toString("base64url");
  const stop = new AbortController();
  const site: Site = {
    file,
    token,
    page: toPage("", { title: basename(path), live: { events: `/${token}/events` } }),
    stop: stop.signal,
    hosts: new Set(),
    streams: new Set(),
  };
  const server = createServer({ requestTimeout: 10_000 }, (request, response) =>
    answer(request, response, site),
  );
  server.maxConnections = maxConnections;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", resolve);
    });
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
  const { port: bound } = server.address() as AddressInfo;
  for (const name of ["127.0.0.1", "localhost"]) site.hosts.add(`${name}:${bound}`);
  return {
    url: `http://127.0.0.1:${bound}/${token}/`,
    get isWaiting() {
      return file.edition === undefined;
    },
    ended: async () => {
      await untilRunsEnded(file, stop.signal);
      file.end();
      await Promise.all(site.streams);
    },
    close: async () => {
      stop.abort();
      await Promise.all(site.streams);
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await file.close();
    },
  };
}

interface Site {
  readonly file: FollowedFile;
  readonly token: string;
  readonly page: string;
  readonly stop: AbortSignal;
  /** What the header `Host` may say. A page of another site that resolves its name to the loopback has another. */
  readonly hosts: Set<string>;
  readonly streams: Set<Promise<void>>;
}

/** The page has a policy of its own; it cannot say who may frame it. */
const headers: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

function answer(request: IncomingMessage, response: ServerResponse, site: Site): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const { method, url = "", headers: received } = request;
  if (!site.hosts.has(received.host ?? ""))
    return refuse(response, 403, "This server answers under the address that it printed.");
  const [, token = "", rest = ""] = /^\/([^/?]*)(\/[^?]*)?/.exec(url) ?? [];
  if (!isEqual(token, site.token))
    return refuse(response, 403, "Open the address that the command printed: it has a secret.");
  if (method !== "GET") {
    response.setHeader("allow", "GET");
    return refuse(response, 405, "This server only answers GET.");
  }
  if (rest === "/events") return startStream(request, response, site);
  if (rest !== "" && rest !== "/") return refuse(response, 404, "There is nothing at this path.");
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(site.page);
}

function refuse(response: ServerResponse, status: number, sentence: string): void {
  response
    .writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" })
    .end(`${sentence}\n`);
}

function startStream(request: IncomingMessage, response: ServerResponse, site: Site): void {
  // The status that tells a browser to stay away.
  if (site.file.hasEnded) return void response.writeHead(204).end();
  if (site.streams.size >= maxStreams)
    return refuse(response, 503, "Too many pages are connected. Close one of them.");
  const left = new AbortController();
  response.once("close", () => left.abort());
  const signal = AbortSignal.any([site.stop, left.signal]);
  const after = Number(request.headers["last-event-id"] ?? 0);
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  const stream = streamLines(response, site.file, {
    after: Number.isSafeInteger(after) && after >= 0 ? after : 0,
    signal,
  })
    .then(() => void response.end())
    // The client left, or the file cannot be read: the browser connects again.
    .catch(() => void response.destroy())
    .finally(() => site.streams.delete(stream));
  site.streams.add(stream);
}

const isEqual = (one: string, other: string): boolean =>
  timingSafeEqual(digest(one), digest(other));
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** @throws RecordingError if the file is not a recording. */
async function untilRunsEnded(file: FollowedFile, signal: AbortSignal): Promise<void> {
  let current: Edition | undefined;
  let isOver = createRunWatch();
  let read = 0;
  while (!signal.aborted) {
    const { edition } = file;
    if (edition !== undefined && edition !== current) {
      current = edition;
      read = edition.base;
      isOver = createRunWatch();
    }
    if (current === undefined || read === current.last) {
      await file.next(signal);
      continue;
    }
    const lines = (await current.readAfter(read)) ?? [];
    read += lines.length;
    if (isOver(lines) && read === current.last) return;
  }
}

function createRunWatch(): (lines: readonly string[]) => boolean {
  const reader = createRecordingReader();
  const open = new Set<string>();
  let hasRun = false;
  return (lines) => {
    for (const { type, runId, path } of reader.push(lines.map((line) => `${line}\n`).join(""))) {
      hasRun = true;
      // A sub-agent ends before the run that it is in.
      if (type === "end" && path.length === 0) open.delete(runId);
      else open.add(runId);
    }
    return hasRun && open.size === 0;
  };
}
