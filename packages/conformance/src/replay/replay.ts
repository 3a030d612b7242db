import { existsSync, statSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type FolderContent,
  parseRecordings,
  type Recording,
  replyFormatOf,
} from "../fixtures/recordings.ts";
import { createHarness } from "../harness/harness.ts";
import { type Host, inProcess } from "../harness/host.ts";
import { isObject, tryParseJson } from "../harness/json.ts";
import { assertNoCheckIds, type JudgeOptions } from "../judge.ts";
import { askAbout, type Verdict, verdictsOf } from "../judge-clause.ts";
import type { AdapterSubject } from "../subject.ts";
import type { Wire } from "../wire.ts";
import { replayClauses } from "./clauses.ts";
import { type Replayed, readAll } from "./replayed.ts";

/** The keys of the objects that a server sends as a whole: a JSON body, a terminal, an error. */
function shapesOf(wire: Wire): readonly (readonly string[])[] {
  const replies = Object.values(wire.nativeStops).flatMap((stop) => {
    const reply = { blocks: [{ text: "All done." }], stop, output: 12 };
    return [wire.whole?.(reply), wire.frames(reply).upToTerminal.at(-1)];
  });
  const failures = [
    ...(wire.errors ?? []).map(({ frame }) => frame),
    ...(wire.failures ?? []).map(({ body }) => body),
  ];
  return [...replies, ...failures].flatMap((text) => {
    const value = text === undefined ? undefined : tryParseJson(text);
    return isObject(value) ? [Object.keys(value)] : [];
  });
}

/** Whether a JSON value has at least half of the keys of an object that the wire sends. */
function looksLike(wire: Wire): (value: unknown) => boolean {
  const shapes = shapesOf(wire);
  return (value) =>
    isObject(value) &&
    shapes.some(
      (keys) =>
        keys.filter((key) => Object.hasOwn(value, key)).length >= Math.max(1, keys.length / 2),
    );
}

/**
 * The recordings of a folder, by name. A `.json` file counts if it looks like a reply of the wire,
 * or if it has a turn file.
 * @throws Error for a file that cannot be read, with its line, and for a turn file without a
 * recording.
 */
export const recordingsIn = async (folder: string, wire?: Wire): Promise<readonly Recording[]> =>
  (await readRecordings(folder, wire)).recordings;

/** Reads a folder. If no wire is given, each of its `.json` files counts as a recording. */
export async function readRecordings(
  folder: string,
  wire: Wire | undefined,
): Promise<FolderContent> {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new Error(`There is no folder ${folder}.`);
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.flatMap((entry) =>
    entry.isDirectory() || replyFormatOf(entry.name) === undefined ? [] : [entry.name],
  );
  const files = await Promise.all(
    names.map(async (name) => [name, new Uint8Array(await readFile(join(folder, name)))] as const),
  );
  return parseRecordings({
    files: new Map(files),
    path: folder,
    ...(wire && { wire, isReply: looksLike(wire) }),
  });
}

/** Recordings, read by the adapter of a subject. */
export interface Replay {
  readonly replayed: readonly Replayed[];
  /** Mutates the recordings. A clause that the subject does not claim is skipped. */
  verdicts(options?: Omit<JudgeOptions, "host">): AsyncGenerator<Verdict>;
}

/** Reads recordings with the adapter of a subject. */
export async function replay(
  subject: AdapterSubject,
  recordings: readonly Recording[],
  host: Host = inProcess(),
): Promise<Replay> {
  const replayed = await readAll(subject, recordings, host);
  return {
    replayed,
    verdicts: (options = {}) => replayVerdicts(subject, replayed, { host, ...options }),
  };
}

async function* replayVerdicts(
  { notClaimed = {}, ...subject }: AdapterSubject,
  all: readonly Replayed[],
  { host, exhaustive = false, sample, ...options }: JudgeOptions & { readonly host: Host },
): AsyncGenerator<Verdict> {
  assertNoCheckIds(options.only);
  // Without native stops the wire has no scenarios, so that only the recordings are used.
  const fixtures = all.flatMap(({ stream }) => (stream ? [stream.fixture] : []));
  const wire = { ...subject.wire, nativeStops: {}, fixtures };
  const harness = createHarness({ ...subject, wire }, host, { exhaustive, sample });
  const asked = askAbout(replayClauses, { harness, all }, { ...options, stackTraces: false });
  const claimed = asked.map(({ clause, ask }) => {
    const reason = notClaimed[clause.id];
    if (reason === undefined) return { clause, ask };
    const verdict: Verdict = { clause, status: "not-claimed", checks: 0, broken: [], reason };
    return { clause, ask: async () => verdict };
  });
  yield* verdictsOf(claimed, options.signal);
}
