import { existsSync, statSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { selectClauses } from "../clause.ts";
import {
  type FolderContent,
  parseRecordings,
  type Recording,
  replyFormatOf,
} from "../fixtures/recordings.ts";
import { createHarness } from "../harness/harness.ts";
import { type Host, inProcess } from "../harness/host.ts";
import { isObject, tryParseJson } from "../harness/json.ts";
import { type JudgeOptions, noCheckIdsMessage } from "../judge.ts";
import { judgeClause, type Verdict } from "../judge-clause.ts";
import type { AdapterSubject } from "../subject.ts";
import type { Wire } from "../wire.ts";
import { clausesOf } from "./clauses.ts";
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

/**
 * Whether a server of the wire may have sent a JSON value: it has at least half of the keys of an
 * object that the wire sends.
 */
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

/**
 * The recordings of a folder, and the `.json` files that are not recordings. Without a wire every
 * `.json` file is one.
 */
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
  /** Each recording and its turn. */
  readonly replayed: readonly Replayed[];
  /**
   * Mutates the recordings: one verdict for each clause. A clause that the subject does not claim
   * is skipped.
   */
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
  replayed: readonly Replayed[],
  { host, only, exhaustive = false, sample, signal, all }: JudgeOptions & { readonly host: Host },
): AsyncGenerator<Verdict> {
  // Without native stops the wire has no scenarios, so that only the recordings are used.
  const fixtures = replayed.flatMap(({ stream }) => (stream ? [stream.fixture] : []));
  const wire = { ...subject.wire, nativeStops: {}, fixtures };
  const harness = createHarness({ ...subject, wire }, host, { exhaustive, sample });
  if (only?.includes("/")) throw new Error(noCheckIdsMessage(only));
  for (const clause of selectClauses(only, clausesOf(replayed))) {
    const reason = notClaimed[clause.id];
    const verdict: Verdict =
      reason === undefined
        ? await judgeClause({ clause, question: clause.adapter }, harness, {
            signal,
            all,
            stackTraces: false,
          })
        : { clause, status: "not-claimed", checks: 0, broken: [], reason };
    if (signal?.aborted) return;
    yield verdict;
  }
}
