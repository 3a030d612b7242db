import type { Frames, Reply, ReplyCall } from "../../wire.ts";
import { type Fields, pieces } from "../shared.ts";

interface SentStep {
  /** In `step.start`. */
  readonly start: Fields;
  readonly deltas: readonly Fields[];
  /** In an interaction in one piece. */
  readonly whole: Fields;
}

/** Any bytes in base64. */
const signature = btoa("signature 0");

/** Each reply begins with a thought. Without summaries it has only a signature. */
const thoughtStep: SentStep = {
  start: { type: "thought" },
  deltas: [{ type: "thought_signature", signature }],
  whole: { type: "thought", signature },
};

const textStep = (text: string): SentStep => ({
  start: { type: "model_output" },
  deltas: pieces(text).map((piece) => ({ type: "text", text: piece })),
  whole: { type: "model_output", content: [{ type: "text", text }] },
});

function callStep({ id, name, input }: ReplyCall): SentStep {
  const step = { type: "function_call", id, name };
  return {
    start: { ...step, arguments: {} },
    deltas: pieces(JSON.stringify(input)).map((text) => ({
      type: "arguments_delta",
      arguments: text,
    })),
    whole: { ...step, arguments: input },
  };
}

const stepsOf = ({ blocks }: Reply): readonly SentStep[] => [
  thoughtStep,
  ...blocks.map((block) => ("text" in block ? textStep(block.text) : callStep(block))),
];

const inputTokens = 25;
const usageOf = (output: number): Fields => ({
  total_input_tokens: inputTokens,
  total_cached_tokens: 0,
  total_output_tokens: output,
  total_tool_use_tokens: 0,
  total_thought_tokens: 0,
  total_tokens: inputTokens + output,
});

/** An id of an interaction that the API keeps. With `store: false` it is empty, as in the fixtures. */
const id = "v1_Q2hkWkE";
const about: Fields = { id, object: "interaction", model: "gemini-3.8-flash" };

const ending = ({ stop, output }: Reply): Fields => ({
  ...about,
  status: stop,
  usage: usageOf(output),
  created: "2026-11-26T09:00:00Z",
  updated: "2026-11-26T09:00:00Z",
  service_tier: "standard",
  ...(stop === "requires_continuation" && { continuation_token: "dG9rZW4=" }),
});

const createdEvent: Fields = {
  event_type: "interaction.created",
  interaction: { ...about, status: "in_progress" },
};
const running: Fields = {
  event_type: "interaction.status_update",
  interaction_id: id,
  status: "in_progress",
};

const stepEvents = ({ start, deltas }: SentStep, index: number): readonly Fields[] => [
  { event_type: "step.start", index, step: start },
  ...deltas.map((delta) => ({ event_type: "step.delta", index, delta })),
  { event_type: "step.stop", index },
];

const toFrames = (events: readonly Fields[], reply: Reply): Frames => ({
  upToTerminal: [
    createdEvent,
    running,
    ...events,
    { event_type: "interaction.completed", interaction: ending(reply) },
  ].map((event) => JSON.stringify(event)),
  after: ["[DONE]"],
});

/** The reply as a stream. https://ai.google.dev/gemini-api/docs/streaming */
export const interactionFrames = (reply: Reply): Frames =>
  toFrames(stepsOf(reply).flatMap(stepEvents), reply);

/** The reply as a stream in which the last step does not end. */
export const interactionUnclosed = (reply: Reply): Frames =>
  toFrames(stepsOf(reply).flatMap(stepEvents).slice(0, -1), reply);

export const interactionBody = (reply: Reply): string =>
  JSON.stringify({ ...ending(reply), steps: stepsOf(reply).map(({ whole }) => whole) });
