import type { ExpectedTurn, Fixture, Frames, Violation, Wire } from "@fullstop/conformance";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { type AnthropicDialectName, dialects } from "@fullstop/provider-anthropic";
import { block, type Event, messageDelta, messageStart, messageStop } from "./events.ts";
import { openrouterWire } from "./openrouter-wire.ts";

/** How the server of a host writes the same reply, and replies of its own. */
interface HostWire {
  readonly write?: (event: Event) => Event;
  readonly fixtures?: readonly Fixture[];
}

const input = { path: "/srv/notes.txt" };
const ran: ExpectedTurn = { stopReason: "tool-use", calls: [{ name: "read", input }] };
const runsNothing = (stopReason: ExpectedTurn["stopReason"]): ExpectedTurn => ({
  stopReason,
  calls: [],
});
const called = (index: number): readonly Event[] =>
  block(
    index,
    { type: "tool_use", id: "call_1", name: "read", input: {} },
    { type: "input_json_delta", partial_json: JSON.stringify(input) },
  );
/** Thinking, with a signature if the host signs, and a call behind it. */
const thoughtAndCall = (signature?: string): readonly Event[] => [
  ...block(
    0,
    { type: "thinking", thinking: "" },
    { type: "thinking_delta", thinking: "I should read." },
    ...(signature === undefined ? [] : [{ type: "signature_delta", signature }]),
  ),
  ...called(1),
];
const reply = (
  blocks: readonly Event[],
  stop: string | null,
  usage: object = { output_tokens: 20 },
): Frames => ({
  upToTerminal: [messageStart, ...blocks, messageDelta(stop, { usage }), messageStop].map((event) =>
    JSON.stringify(event),
  ),
});
const thinkingBack = (signature: string, source: string, sent?: string): Fixture => ({
  name: `thinking ${sent === undefined ? "without" : "with"} a signature, before a call`,
  frames: reply(thoughtAndCall(sent), "tool_use"),
  turn: ran,
  replays: [{ type: "thinking", thinking: "I should read.", signature }],
  source,
});
const cutUnder = (source: string): Fixture => ({
  name: "a call that the cap cut, under the word for calls",
  frames: reply(called(0), "tool_use", { output_tokens: 1024 }),
  turn: runsNothing("length"),
  source,
});
const uncounted: Fixture = {
  name: "a call without a usage",
  frames: reply(called(0), "tool_use", { output_tokens: 0 }),
  turn: runsNothing("length"),
};

const messageId = "91cfbb94-554b-4136-8e21-fa02280d56ed";
const withoutUsage = (event: Event): Event =>
  event.type === "message_start"
    ? {
        ...event,
        message: {
          ...(event["message"] as object),
          usage: { input_tokens: 0, output_tokens: 0 },
        },
      }
    : event;
/** vLLM leaves the members out that have no value. */
const withoutSequence = (event: Event): Event => {
  if (event.type !== "message_delta") return event;
  const { stop_sequence: _, ...delta } = event["delta"] as Record<string, unknown>;
  return { ...event, delta };
};

const hosts: Readonly<Record<AnthropicDialectName, HostWire>> = {
  deepseek: {
    fixtures: [
      thinkingBack(messageId, "NousResearch/hermes-agent#21048", messageId),
      thinkingBack("", "QuantumNous/new-api#4763"),
    ],
  },
  glm: { fixtures: [thinkingBack("", "can1357/oh-my-pi#4193")] },
  kimi: { fixtures: [thinkingBack("", "anomalyco/opencode#44713")] },
  litellm: { fixtures: [cutUnder("BerriAI/litellm#40260"), uncounted] },
  minimax: { fixtures: [thinkingBack("c2ln", "NousResearch/hermes-agent#85251", "c2ln")] },
  ollama: {
    fixtures: [
      thinkingBack("", "https://github.com/ollama/ollama: anthropic/anthropic.go"),
      cutUnder("https://github.com/ollama/ollama: anthropic/anthropic.go, mapStopReason"),
      uncounted,
    ],
  },
  openrouter: {},
  vercel: { write: withoutUsage },
  vllm: {
    write: withoutSequence,
    fixtures: [
      cutUnder("vllm-project/vllm#47963"),
      uncounted,
      {
        name: "a reply that the server aborted",
        frames: reply(called(0), null),
        turn: runsNothing("interrupted"),
        source: "https://github.com/vllm-project/vllm: entrypoints/anthropic/serving.py",
      },
    ],
  },
};

/** A model that the host accepts. */
export const modelOf = (name: AnthropicDialectName): string =>
  dialects[name].serves === undefined ? "m" : "anthropic/claude-opus-5";

/** The wire of a host, with only its own fixtures: those of the protocol are proven once. */
export function wireOf(name: AnthropicDialectName): Wire {
  if (name === "openrouter") return openrouterWire;
  const { write = (event) => event, fixtures } = hosts[name];
  const { fixtures: _, ...base } = anthropicWire;
  const rewrite = ({ upToTerminal }: Frames): Frames => ({
    upToTerminal: upToTerminal.map((frame) => JSON.stringify(write(JSON.parse(frame) as Event))),
  });
  const isAllowed = ({ message }: Violation): boolean =>
    dialects[name].unsignedThinking === true && message.includes("without its signature");
  return {
    ...base,
    name: `${base.name}, ${name}`,
    ...(fixtures && { fixtures }),
    frames: (given) => rewrite(base.frames(given)),
    unclosed: (given) => rewrite(base.unclosed?.(given) ?? base.frames(given)),
    violations: (body) => base.violations(body).filter((one) => !isAllowed(one)),
  };
}
