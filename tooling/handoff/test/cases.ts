import { cap, type Fixture, type Frames, type Reply } from "@fullstop/conformance";
import {
  readTurn,
  type StopReason,
  type ToolSpec,
  type Turn,
  validateHistory,
} from "@fullstop/core";
import { jsonSchema, type Outcome, type RunOptions, run, type Tool } from "@fullstop/loop";
import { expect } from "vitest";
import { type Fault, provider, sent } from "./provider.ts";
import { type Speaker, tokensUnder } from "./speakers.ts";

/** What one speaker must do in one case. It gives a reason where its protocol has no such case. */
export type Case = (speaker: Speaker) => Promise<string | undefined>;

const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const none = { type: "object", properties: {} };
const specs: readonly ToolSpec[] = [
  { name: "read", description: "Read a file.", inputSchema: schema },
  { name: "write", description: "Write a file.", inputSchema: schema },
  { name: "list", description: "List the files.", inputSchema: none },
];

/** A call, and its input as text. */
export const read = { name: "read", id: "call_a1", input: { path: "/srv/notes.txt" } };
export const write = { name: "write", id: "call_b2", input: { path: "/srv/other.txt" } };
export const list = { name: "list", id: "call_c3", input: {} };
export type Call = Reply["blocks"][number];

export const word = ({ wire }: Speaker, stop: keyof Speaker["wire"]["nativeStops"]): string =>
  wire.nativeStops[stop] ?? "";
/** A reply that asks for calls, as this speaker says it. */
export const asks = (speaker: Speaker, ...blocks: readonly Call[]): Frames =>
  says(speaker, word(speaker, "tool-use"), blocks);
export const says = ({ wire }: Speaker, stop: string, blocks: readonly Call[]): Frames =>
  wire.frames({ blocks, stop, output: tokensUnder(wire, stop) });

/** The frames with another end of each text that ends so; nothing where the protocol sends no such text. */
export function endingOtherwise(frames: Frames, from: string, to: string): Frames | undefined {
  const quoted = (text: string): string => JSON.stringify(text).slice(1);
  const upToTerminal = frames.upToTerminal.map((payload) =>
    payload.replaceAll(quoted(from), quoted(to)),
  );
  return upToTerminal.every((payload, n) => payload === frames.upToTerminal[n])
    ? undefined
    : { ...frames, upToTerminal };
}
export const inputsComeWhole = "inputs come as JSON, never as text that could be cut";

/** Reads one reply; the request must keep the vendor's rules. */
export async function reads(
  speaker: Speaker,
  frames: Frames,
  fault: Fault = { kind: "none" },
): Promise<Turn> {
  const { endpoint, violations } = provider(speaker.wire, () =>
    sent(frames, fault, speaker.wire.errors),
  );
  const turn = await readTurn(speaker.adapter(endpoint), {
    messages: [{ role: "user", content: "Go." }],
    tools: specs,
    maxTokens: cap,
  });
  expect(violations).toEqual([]);
  return turn;
}

/** Nothing of the reply runs, and no call of it stays. */
export async function runsNothing(
  speaker: Speaker,
  frames: Frames,
  stopReason: StopReason,
): Promise<Turn> {
  const turn = await reads(speaker, frames);
  expect([turn.stopReason, turn.calls]).toEqual([stopReason, []]);
  expect(turn.message?.content.filter(({ type }) => type === "tool-call") ?? []).toEqual([]);
  return turn;
}

/** Fixtures of its wire, each read as its wire says that it must be. */
export async function readsFixtures(
  speaker: Speaker,
  names: Readonly<Record<string, readonly string[]>>,
): Promise<string | undefined> {
  const { name: wire, fixtures = [] } = speaker.wire;
  const wanted = names[wire] ?? [];
  if (wanted.length === 0) return `a case of ${Object.keys(names).join(" and ")}`;
  for (const name of wanted) {
    const { frames, turn: expected } = fixtures.find((fixture) => fixture.name === name) as Fixture;
    const turn = await reads(speaker, frames);
    const calls = turn.calls.map((call) => ({ name: call.name, input: call.input }));
    expect({ stopReason: turn.stopReason, calls }, name).toEqual(expected);
  }
  return undefined;
}

export interface Ran {
  readonly outcome: Outcome;
  /** What the tools ran, each with the path that they were given. */
  readonly ran: readonly string[];
}
export type Act = (given: {
  readonly name: string;
  readonly times: number;
  readonly signal: AbortSignal;
}) => string | Promise<string>;

/** A run over these replies. Its history is whole and its requests valid; so is the request that goes on with it. */
export async function runs(
  speaker: Speaker,
  replies: readonly Frames[],
  { act = () => "ok", ...options }: Partial<RunOptions> & { readonly act?: Act } = {},
): Promise<Ran> {
  const ran: string[] = [];
  const tools = specs.map(
    ({ name, description, inputSchema }): Tool<{ readonly path?: string }> => ({
      ...{ name, description, inputSchema: jsonSchema(inputSchema as object) },
      execute: (_, { signal }) => act({ name, times: ran.push(name), signal }),
    }),
  );
  const answer = says(speaker, word(speaker, "stop"), [{ text: "Done." }]);
  const first = provider(speaker.wire, (n) => sent(replies[n] ?? answer, { kind: "none" }));
  const outcome = await run({
    adapter: speaker.adapter(first.endpoint),
    tools,
    prompt: "Go.",
    ...options,
  }).outcome();
  const second = provider(speaker.wire, () => sent(answer, { kind: "none" }));
  const { messages } = outcome;
  expect(
    await run({
      adapter: speaker.adapter(second.endpoint),
      tools,
      messages,
      prompt: "And now?",
    }).text(),
  ).toBe("Done.");
  expect([...first.violations, ...second.violations]).toEqual([]);
  expect(validateHistory(messages)).toEqual([]);
  return { outcome, ran };
}
