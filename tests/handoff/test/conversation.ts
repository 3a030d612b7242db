import { cap, type Frames, inProcess, type ReplyCall, type ReplyText } from "@fullstop/conformance";
import { answerEvents } from "@fullstop/conformance/server";
import {
  appendMessage,
  type Message,
  readTurn,
  type StopReason,
  type ToolSpec,
  type Turn,
  type UserMessage,
  validateHistory,
} from "@fullstop/core";
import { expect } from "vitest";
import { outputTokensFor, type Speaker } from "./speakers.ts";

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
/** A reply before it is written in a protocol. */
export interface ReplyContent {
  readonly blocks: readonly Block[];
  readonly stop: "stop" | "tool-use" | "length";
}
export interface Conversation {
  readonly messages: readonly Message[];
  addUserMessage(content: UserMessage["content"]): void;
  /** The body of the last request. */
  lastRequest(): string;
  /**
   * Sends the history to a provider, checks the request against the vendor's rules, and appends the
   * reply.
   */
  ask(speaker: Speaker, reply: ReplyContent): Promise<Turn>;
  /** The reply in the protocol of the provider. */
  framesOf(speaker: Speaker, reply: ReplyContent): Frames;
  /** As `ask`, for a reply that is given as frames. */
  askForFrames(speaker: Speaker, frames: Frames, expected: StopReason): Promise<Turn>;
}

export function startConversation(): Conversation {
  const messages: Message[] = [];
  let lastRequest = "";
  const askForFrames: Conversation["askForFrames"] = async (speaker, frames, expected) => {
    const host = inProcess();
    const { upToTerminal, after = [] } = frames;
    host.answer(answerEvents(speaker.wire, [...upToTerminal, ...after]));
    const turn = await readTurn(speaker.adapter(host.endpoint), {
      system: "Be brief.",
      messages,
      tools,
      maxTokens: cap,
    });
    lastRequest = host.received()?.body ?? "null";
    expect(speaker.wire.violations(JSON.parse(lastRequest))).toEqual([]);
    expect(turn.stopReason).toBe(expected);
    if (turn.message !== undefined) appendMessage(messages, turn.message);
    if (turn.calls.length > 0)
      appendMessage(messages, { role: "tool", content: turn.calls.map(resultOf) });
    expect(validateHistory(messages)).toEqual([]);
    return turn;
  };
  const framesOf: Conversation["framesOf"] = ({ wire, id }, { blocks, stop }) => {
    const native = wire.nativeStops[stop] ?? wire.nativeStops.stop ?? stop;
    return wire.frames({
      blocks: blocks.map((block, position) =>
        "text" in block ? block : { ...block, id: id(messages.length, position) },
      ),
      stop: native,
      output: outputTokensFor(wire, native),
    });
  };
  return {
    messages,
    framesOf,
    askForFrames,
    addUserMessage: (content) => appendMessage(messages, { role: "user", content }),
    lastRequest: () => lastRequest,
    ask: (speaker, reply) => askForFrames(speaker, framesOf(speaker, reply), reply.stop),
  };
}

/** Every second result is an error. */
const resultOf = ({ id, name }: Turn["calls"][number], position: number) => ({
  type: "tool-result" as const,
  id,
  name,
  content: `Result ${position} of ${name}.`,
  ...(position % 2 === 1 && { isError: true }),
});
