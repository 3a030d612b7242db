import { inProcess, type Violation, type Wire } from "@fullstop/conformance";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { type Adapter, type Endpoint, type Message, readTurn, type ToolSpec } from "@fullstop/core";
import { anthropic } from "@fullstop/provider-anthropic";
import { google } from "@fullstop/provider-google";
import { openai, openaiChat } from "@fullstop/provider-openai";
import fc from "fast-check";

export type Body = Readonly<Record<string, unknown>>;

interface Sender {
  readonly wire: Wire;
  readonly member: "messages" | "input" | "contents";
  readonly adapter: (endpoint: Endpoint) => Adapter;
}
/** The shapes that an adapter writes. */
export type SenderName = "anthropic" | "openai-chat" | "openai-responses" | "gemini";
/** The adapters with a request of their own, and the vendor's rules about it. */
export const senders: Readonly<Record<SenderName, Sender>> = {
  anthropic: {
    wire: anthropicWire,
    member: "messages",
    adapter: (endpoint) => anthropic("claude-sonnet-5-5", endpoint),
  },
  "openai-chat": {
    wire: openaiChatWire,
    member: "messages",
    adapter: (endpoint) => openaiChat("gpt-6", endpoint),
  },
  "openai-responses": {
    wire: openaiResponsesWire,
    member: "input",
    adapter: (endpoint) => openai("gpt-6", endpoint),
  },
  gemini: {
    wire: geminiWire,
    member: "contents",
    adapter: (endpoint) => google("gemini-2.5-pro", endpoint),
  },
};
export const senderNames: readonly SenderName[] = Object.keys(senders) as SenderName[];

export const tools: readonly ToolSpec[] = [
  { name: "read", description: "Reads a file.", inputSchema: { type: "object" } },
  {
    name: "write",
    description: "Writes a file.",
    inputSchema: {
      type: "object",
      properties: { path: { type: "string" } },
      required: ["path"],
    },
  },
];

/** The body of the request that an adapter sends. */
export async function bodyOf(name: SenderName, messages: readonly Message[]): Promise<Body> {
  const { adapter } = senders[name];
  const host = inProcess();
  host.answer({ chunks: [] });
  await readTurn(adapter(host.endpoint), { messages, tools, maxTokens: 1000, system: "Be brief." });
  return JSON.parse(host.received()?.body ?? "null") as Body;
}

/** Before Gemini 3, whose calls need signatures. */
const path = "/v1beta/models/gemini-2.5-pro:streamGenerateContent";

/** What the vendor refuses for certain. */
export const refusals = (name: SenderName, body: unknown): readonly Violation[] =>
  violations(name, body).filter(({ level }) => level !== "should");
/** Also what only some hosts refuse. */
export const violations = (name: SenderName, body: unknown): readonly Violation[] =>
  senders[name].wire.violations(body, { path });

export const listOf = (name: SenderName, body: Body): readonly Body[] =>
  body[senders[name].member] as readonly Body[];
export const withList = (name: SenderName, body: Body, list: readonly unknown[]): Body => ({
  ...body,
  [senders[name].member]: list,
});

const content = fc.constantFrom("Hi.", "It says {}.", "");
const inputText = fc.constantFrom('{"path":"a"}', '{"path":"b","text":"c"}');
const block = fc.oneof(
  fc.constant({ type: "text" as const, text: "I will look." }),
  fc.record({
    type: fc.constant("tool-call" as const),
    name: fc.constantFrom("read", "write"),
    inputText,
  }),
);
const turn = fc.record({
  ask: fc.boolean(),
  blocks: fc.array(block, { minLength: 1, maxLength: 4 }),
  results: fc.array(fc.record({ content, isError: fc.boolean() }), { minLength: 4, maxLength: 4 }),
});

/** Valid histories: calls with their results in order, and messages of a person between turns. */
export const histories: fc.Arbitrary<readonly Message[]> = fc
  .array(turn, { minLength: 1, maxLength: 4 })
  .map((turns) => {
    let ids = 0;
    const messages = turns.flatMap(({ ask, blocks, results }): readonly Message[] => {
      const built = blocks.map((one) =>
        one.type === "text" ? one : { ...one, id: `call_${ids++}` },
      );
      const answers = built
        .filter((one) => one.type === "tool-call")
        .map(({ id, name }, index) => ({
          type: "tool-result" as const,
          id,
          name,
          ...(results[index] ?? { content: "" }),
        }));
      return [
        ...(ask ? [{ role: "user" as const, content: "Now the next." }] : []),
        { role: "assistant", content: built },
        ...(answers.length > 0 ? [{ role: "tool" as const, content: answers }] : []),
      ];
    });
    return [{ role: "user", content: "Begin." }, ...messages, { role: "user", content: "Go on." }];
  });
