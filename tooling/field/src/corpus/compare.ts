import { availableParallelism } from "node:os";
import { isDeepStrictEqual } from "node:util";
import type { Fixture, Received, ReplyCall } from "@fullstop/conformance";
import {
  createReplyIds,
  describeCall,
  finalAnswer,
  renderAnswer,
} from "@fullstop/conformance/runner";
import { type AgentOptions, type AgentSubject, agentSubject } from "@fullstop/conformance-cli";
import { guard } from "@fullstop/guard";
import type { ComparedReply, ComparedSubject, Runs } from "@tooling/docs/corpus-runs";
import { guardGateway } from "../guard.ts";
import { retarget } from "./retarget.ts";

/** A reply of the corpus that calls the program's tool, and the calls that it has. */
interface Candidate {
  readonly name: string;
  readonly frames: Fixture["frames"];
  readonly calls: readonly ReplyCall[];
}

/** The first request of a program. */
async function firstRequest({ wire, runner }: AgentSubject): Promise<Received> {
  const { requests } = await runner.run((request) => finalAnswer(wire, request));
  const [request] = requests;
  if (request === undefined) throw new Error("The program made no request.");
  return request;
}

/** What the guard grants of a reply, and whether the reply leaves it as it came. */
async function askGuard(
  { wire }: AgentSubject,
  request: Received,
  frames: Fixture["frames"],
): Promise<{ readonly isEdited: boolean; readonly granted: readonly string[] }> {
  const { chunks, headers = {} } = renderAnswer(wire, request, { frames });
  const [bytes = new Uint8Array()] = [...chunks];
  let granted: readonly string[] = [];
  const guarded = guard(async () => new Response(bytes, { headers }), {
    onReply: ({ turn }) => {
      granted = turn.calls.map(describeCall);
    },
  });
  const { method, path, headers: sent, body } = request;
  const response = await guarded(`http://127.0.0.1${path}`, { method, headers: sent, body });
  // The body of a broken reply rejects. Nothing of it was granted.
  const left = new Uint8Array(await response.arrayBuffer().catch(() => new ArrayBuffer(0)));
  return { isEdited: !isDeepStrictEqual(left, new Uint8Array(bytes)), granted };
}

/**
 * The finished replies of the corpus that leave the guard otherwise than they came. Any other reply
 * is the same with and without the guard. `skipped` counts those whose calls cannot be replaced.
 */
async function findCandidates(subject: AgentSubject): Promise<{
  readonly asked: readonly Candidate[];
  readonly unchanged: number;
  readonly skipped: number;
}> {
  const { wire, runner } = subject;
  const request = await firstRequest(subject);
  const asked: Candidate[] = [];
  let unchanged = 0;
  let skipped = 0;
  const isStreamed = wire.agent?.streams(request) ?? true;
  const finished = (wire.fixtures ?? []).filter(({ turn }) => turn.calls.length > 0);
  for (const { name, frames: original, turn } of isStreamed ? finished : []) {
    const frames = retarget({ frames: original, turn }, runner.calls);
    const calls = runner.calls.slice(0, turn.calls.length);
    const reading = frames && (await askGuard(subject, request, frames));
    const isRetargeted =
      reading !== undefined && isDeepStrictEqual(reading.granted, calls.map(describeCall));
    if (!isRetargeted) skipped++;
    else if (!reading.isEdited) unchanged++;
    else asked.push({ name, frames: frames as Fixture["frames"], calls });
  }
  return { asked, unchanged, skipped };
}

/**
 * What ran after the reply. A tool may overwrite its file, so a second run is also seen in the
 * results of the next request.
 */
async function countRuns(
  { wire, runner }: AgentSubject,
  { frames, calls }: Candidate,
): Promise<Runs> {
  const giveOwnIds = createReplyIds(wire);
  const { effects, requests } = await runner.run((request, index) =>
    giveOwnIds(index === 0 ? renderAnswer(wire, request, { frames }) : finalAnswer(wire, request)),
  );
  const last = requests.length > 1 ? requests.at(-1) : undefined;
  const results = last === undefined ? 0 : runner.results(last).length;
  const ran = new Set(effects.calls).size;
  const repeated = Math.max(effects.calls.length - ran, results - calls.length, 0);
  return { ran, repeated };
}

/** Runs at most as many works at once as the machine has processors. */
async function forEachAtOnce<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

/**
 * Plays the replies of the corpus to a program, without the gateway and behind it.
 * @throws Error if the program cannot be judged.
 */
export async function compareOnCorpus(
  name: string,
  command: readonly string[],
  { through = guardGateway, ...options }: AgentOptions = {},
): Promise<ComparedSubject> {
  const alone = await agentSubject(command, options);
  const behind = await agentSubject(command, { ...options, through });
  const { asked, unchanged, skipped } = await findCandidates(alone);
  const replies: ComparedReply[] = [];
  await forEachAtOnce(asked, async (candidate) => {
    replies.push({
      reply: candidate.name,
      calls: candidate.calls.length,
      alone: await countRuns(alone, candidate),
      behind: await countRuns(behind, candidate),
    });
  });
  replies.sort((one, other) => one.reply.localeCompare(other.reply, "en"));
  return { name, wire: alone.wire.name, unchanged, skipped, replies };
}
