import fc from "fast-check";
import type { Frame } from "../bytes.ts";
import { type Drawn, mostly, rarely, secondWords, wordMember } from "../chances.ts";
import {
  callsOf,
  chooseStop,
  type Intent,
  intents,
  jsonWith,
  objectOf,
  type Part,
  pieceSizes,
  splitText,
  stepFacts,
  tokenCounts,
  withoutFreeForm,
} from "../intent.ts";
import { type Fields, isObject, jsonValue } from "../json.ts";
import type { GeneratedReply } from "../protocol.ts";
import { truthOf } from "../settle.ts";
import { interactionsMeaning, interactionsStops, isRunning } from "./stops.ts";

/** Variations of the service. */
const styles = fc.record({
  whole: rarely,
  sizes: pieceSizes,
  /** A request with `store: false` gets a blank id. */
  stored: fc.boolean(),
  /** The start of a step has all of it. */
  atOnce: rarely,
  /** Vertex AI names the piece of an input `partial_arguments`. */
  vertex: rarely,
  blankFirst: fc.boolean(),
  statusUpdates: fc.boolean(),
  unknownEvents: rarely,
  startTwice: rarely,
  /** The last event repeats the steps. */
  stepsAtEnd: rarely,
  doneAfterEnd: mostly,
  /** A second stop word in the interaction. */
  word: secondWords,
});
type InteractionStyle = Drawn<typeof styles>;

export const interactionReplies: fc.Arbitrary<GeneratedReply> = fc
  .tuple(intents, styles)
  .map(([intent, style]) => generate(withoutFreeForm(intent), style));

interface Ending {
  readonly status: string;
  readonly output: number | undefined;
}

function generate(intent: Intent, style: InteractionStyle): GeneratedReply {
  const { whole } = style;
  const right = callsOf(intent).length > 0 ? "requires_action" : "completed";
  const status = chooseStop(intent, right, interactionsStops);
  const ending = { status, output: tokenCounts[intent.tokens] };
  const steps = intent.parts.flatMap((part, position) => sentSteps(part, position, style));
  return {
    frames: whole ? [wholeFrame(steps, ending, style)] : stream(steps, ending, style),
    whole,
    host: "google",
    truth: truthOf(intent, {
      call: ({ input }, position) => ({
        id: `call_${position}`,
        text: whole ? objectOf(input) : input,
      }),
      ...(isRunning(status) && { end: "missing" }),
      stops: isRunning(status)
        ? []
        : [interactionsMeaning(status), ...(style.word === "length" ? ["length" as const] : [])],
      output: ending.output,
      ...stepFacts(intent),
    }),
    source: { intent, style },
  };
}

interface SentStep {
  readonly start: Fields;
  /** The step in one piece. A call has `@` as its arguments. */
  readonly whole: Fields;
  /** What its deltas bring. Absent if it comes in one piece only. */
  readonly pieces?: { readonly text: string; readonly delta: (piece: string) => Fields };
  readonly isCall?: true;
  readonly last?: Fields;
}

function sentSteps(part: Part, position: number, style: InteractionStyle): readonly SentStep[] {
  switch (part.kind) {
    case "text":
      return [
        {
          start: { type: "model_output" },
          whole: { type: "model_output", content: [{ type: "text", text: part.text }] },
          pieces: { text: part.text, delta: (text) => ({ type: "text", text }) },
        },
      ];
    case "thinking": {
      const signature = btoa(`sig${position}`);
      const summary = (text: string): Fields => ({ type: "text", text });
      return [
        {
          start: { type: "thought" },
          whole: { type: "thought", summary: [summary(part.text)], signature },
          pieces: {
            text: part.text,
            delta: (text) => ({ type: "thought_summary", content: summary(text) }),
          },
          last: { type: "thought_signature", signature },
        },
      ];
    }
    case "call": {
      const call = { type: "function_call", id: `call_${position}`, name: part.tool };
      const member = style.vertex ? "partial_arguments" : "arguments";
      return [
        {
          start: { ...call, arguments: {} },
          whole: { ...call, arguments: `@${position}` },
          pieces: {
            text: part.input,
            delta: (text) => ({ type: "arguments_delta", [member]: text }),
          },
          isCall: true,
        },
      ];
    }
    case "free":
      return [];
    case "step": {
      const id = `search_${position}`;
      const asks = { type: "google_search_call", id, arguments: { queries: ["x"] } };
      const answers = { type: "google_search_result", call_id: id, result: [] };
      return (part.answered ? [asks, answers] : [asks]).map((step) => ({
        start: step,
        whole: step,
      }));
    }
  }
}

const idOf = ({ stored }: InteractionStyle): string => (stored ? "v1_r1" : "");

const interactionOf = ({ status, output }: Ending, style: InteractionStyle): Fields => ({
  id: idOf(style),
  object: "interaction",
  model: "gemini-3.8-flash",
  status,
  ...(!isRunning(status) && wordMember(style.word)),
  ...(output !== undefined && { usage: { total_input_tokens: 9, total_output_tokens: output } }),
});

/** The JSON of a value with steps, in which the inputs are as the model wrote them. */
function jsonOf(value: Fields, steps: readonly SentStep[]): string {
  const holes = steps.flatMap(({ isCall, whole, pieces }): [string, string][] => {
    return isCall ? [[String(whole["arguments"]), objectOf(pieces?.text ?? "")]] : [];
  });
  return jsonWith(value, new Map(holes));
}

const wholeFrame = (
  steps: readonly SentStep[],
  ending: Ending,
  style: InteractionStyle,
): Frame => ({
  data: jsonOf({ ...interactionOf(ending, style), steps: steps.map(({ whole }) => whole) }, steps),
});

const frameOf = (event_type: string, rest: Fields, steps: readonly SentStep[] = []): Frame => ({
  name: event_type,
  data: jsonOf({ event_type, ...rest }, steps),
});

function stream(
  steps: readonly SentStep[],
  ending: Ending,
  style: InteractionStyle,
): readonly Frame[] {
  const id = idOf(style);
  const status = "in_progress";
  const created = frameOf("interaction.created", {
    interaction: { ...interactionOf({ ...ending, status }, style), usage: undefined },
  });
  const between = style.unknownEvents ? [frameOf("surprise", { index: 0, text: "x" })] : [];
  const isRepeated = style.stepsAtEnd && steps.every(hasAllAtStart);
  const last = {
    ...interactionOf(ending, style),
    ...(isRepeated && { steps: steps.map(({ whole }) => whole) }),
  };
  return [
    ...(style.startTwice ? [created, created] : [created]),
    ...(style.statusUpdates
      ? [frameOf("interaction.status_update", { interaction_id: id, status })]
      : []),
    ...steps.flatMap((step, index) => [...between, ...stepFrames(step, index, style)]),
    frameOf("interaction.completed", { interaction: last }, isRepeated ? steps : []),
    ...(style.doneAfterEnd ? [{ data: "[DONE]" }] : []),
  ];
}

function stepFrames(step: SentStep, index: number, style: InteractionStyle): readonly Frame[] {
  const { start, whole, pieces, isCall, last } = step;
  const stop = frameOf("step.stop", { index });
  const isOnePiece = pieces === undefined || (style.atOnce && hasAllAtStart(step));
  if (isOnePiece) return [frameOf("step.start", { index, step: whole }, [step]), stop];
  const delta = (change: Fields): Frame => frameOf("step.delta", { index, delta: change });
  return [
    frameOf("step.start", { index, step: start }),
    ...(isCall && style.blankFirst ? [delta(pieces.delta(""))] : []),
    ...splitText(pieces.text, style.sizes).map((piece) => delta(pieces.delta(piece))),
    ...(last ? [delta(last)] : []),
    stop,
  ];
}

/** Only an object can be the arguments at the start. */
const hasAllAtStart = ({ isCall, pieces }: SentStep): boolean =>
  !isCall || isObject(jsonValue(pieces?.text ?? ""));
