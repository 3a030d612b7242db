import { cap, type Frames, inProcess, type ReplyCall, type ReplyText } from "@fullstop/conformance";
import {
  appendMessage,
  type Message,
  readTurn,
  type StopReason,
  type ToolSpec,
  type Turn,
  validateHistory,
} from "@fullstop/core";
import { expect } from "vitest";
import { type Speaker, tokensUnder } from "./speakers.ts";

const path = { type: "object", properties: { path: { type: "string" } } };
const tools: readonly ToolSpec[] = [
  { name: "read", description: "Read a file.", inputSchema: path },
  {
    name: "write",
    description: "Write a file.",
    inputSchema: { ...path, properties: { ...path.properties, content: { type: "string" } } },
  },
  { name: "list", description: "List the files.", inputSchema: { type: "object", properties: {} } },
];

export type Block = ReplyText | Omit<ReplyCall, "id">;
/** What a speaker says; its word is the reason, until a wire has one for it. */
export interface Said {
  readonly blocks: readonly Block[];
  readonly stop: "stop" | "tool-use" | "length";
}
export interface Conversation {
  readonly messages: readonly Message[];
  person(text: string): void;
  /** Sends the history to a speaker, whose request must keep its vendor's rules, and takes its answer. */
  says(speaker: Speaker, said: Said): Promise<Turn>;
  /** What it would say, in its protocol. */
  frames(speaker: Speaker, said: Said): Frames;
  replies(speaker: Speaker, frames: Frames, expected: StopReason): Promise<Turn>;
}

const bytesOf = ({ upToTerminal, after = [] }: Frames): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(
    [...upToTerminal, ...after].map((payload) => `data: ${payload}\n\n`).join(""),
  );

export function converse(): Conversation {
  const messages: Message[] = [];
  const replies: Conversation["replies"] = async (speaker, frames, expected) => {
    const host = inProcess();
    host.answer({ chunks: [bytesOf(frames)] });
    const turn = await readTurn(speaker.adapter(host.endpoint), {
      system: "Be brief.",
      messages,
      tools,
      maxTokens: cap,
    });
    expect(speaker.wire.violations(JSON.parse(host.received()?.body ?? "null"))).toEqual([]);
    expect(turn.stopReason).toBe(expected);
    if (turn.message !== undefined) appendMessage(messages, turn.message);
    if (turn.calls.length > 0)
      appendMessage(messages, { role: "tool", content: turn.calls.map(answer) });
    expect(validateHistory(messages)).toEqual([]);
    return turn;
  };
  const frames: Conversation["frames"] = ({ wire, id }, { blocks, stop }) => {
    const native = wire.nativeStops[stop] ?? wire.nativeStops.stop ?? stop;
    return wire.frames({
      blocks: blocks.map((block, position) =>
        "text" in block ? block : { ...block, id: id(messages.length, position) },
      ),
      stop: native,
      output: tokensUnder(wire, native),
    });
  };
  return {
    messages,
    frames,
    replies,
    person: (text) => appendMessage(messages, { role: "user", content: text }),
    says: (speaker, said) => replies(speaker, frames(speaker, said), said.stop),
  };
}

/** Every second result is an error. */
const answer = ({ id, name }: Turn["calls"][number], n: number) => ({
  ...{ type: "tool-result" as const, id, name, content: `Result ${n} of ${name}.` },
  ...(n % 2 === 1 && { isError: true }),
});
