import { type Emit, isOtherInput, refuseOtherNames, stringifyJson } from "@fullstop/core/adapter";
import type { Interactions } from "@google/genai";
import { emitGoogleError } from "../google-error.ts";
import type { Step, StepDeltaData } from "./events.ts";
import { inputPieceOf, misplacedDelta, type StepReader, textOfDelta } from "./step-reader.ts";

/**
 * A function call. Its step starts with an empty object, and the arguments come in pieces. Some
 * replies have them in the start and no pieces.
 */
export function readCallStep(
  emit: Emit,
  key: number,
  step: Interactions.FunctionCallStep,
): StepReader {
  const pieces: string[] = [];
  const startsWithInput = hasArguments(step.arguments);
  let signature = signatureOf(step);
  let unknown: StepDeltaData | undefined;
  if (!startsWithInput) refuseOtherNames("tool input", step, ["arguments"]);
  emit({ type: "tool-input-start", key, id: step.id, name: step.name });
  return {
    input: () => pieces.join("") || (startsWithInput ? stringifyJson(step.arguments) : ""),
    delta(delta) {
      if (delta.type === "arguments_delta") {
        const text = textOfDelta(inputPieceOf(delta) ?? "", delta);
        if (text === "") return;
        pieces.push(text);
        emit({ type: "tool-input-delta", key, text });
      } else if (delta.type === "thought_signature") signature = delta.signature ?? signature;
      else if (isMisplaced(delta)) throw misplacedDelta(delta, step);
      else unknown = delta;
    },
    stop() {
      const inputText = pieces.join("");
      if (unknown !== undefined && inputText === "") throw misplacedDelta(unknown, step);
      if (startsWithInput && inputText !== "" && isOtherInput(step.arguments, inputText))
        throw new Error(`The reply gives two different inputs for step ${key}.`);
      const isWhole = inputText === "" && startsWithInput;
      emit({
        type: "tool-input-end",
        key,
        ...(isWhole && { text: stringifyJson(step.arguments) }),
      });
      if (signature !== undefined) emit({ type: "provider-data", key, data: signature });
      return false;
    },
  };
}

const isMisplaced = (delta: StepDeltaData): boolean =>
  delta.type === "text" || delta.type === "thought_summary" || inputPieceOf(delta) !== undefined;

/** The SDK's type has no signature on a call; the reference of Vertex AI has. */
const signatureOf = (step: object): string | undefined =>
  "signature" in step && typeof step.signature === "string" && step.signature !== ""
    ? step.signature
    : undefined;

const hasArguments = (args: unknown): boolean =>
  typeof args === "object" && args !== null && !Array.isArray(args)
    ? Object.keys(args).length > 0
    : args !== undefined && args !== null;

const mediaTypes: ReadonlySet<string> = new Set(["image", "audio", "video", "document"]);

/** The text and the media that the model wrote. Media are kept verbatim, each in its own step. */
export function readOutputStep(emit: Emit, step: Interactions.ModelOutputStep): StepReader {
  const annotations: unknown[] = [];
  let isEmpty = true;
  const readText = (text: string): void => {
    if (text === "") return;
    isEmpty = false;
    emit({ type: "text", text });
  };
  const readMedia = (content: object): void =>
    emit({ type: "native", data: { type: "model_output", content: [content] } });
  for (const content of step.content ?? []) {
    if (content.type !== "text") {
      refuseOtherNames("tool call", content);
      readMedia(content);
      continue;
    }
    readText(content.text ?? "");
    annotations.push(...(content.annotations ?? []));
  }
  if (step.error) emitGoogleError(emit, step.error);
  return {
    textType: "text",
    delta(delta) {
      if (delta.type === "text") readText(textOfDelta(delta.text, delta));
      else if (delta.type === "text_annotation_delta")
        annotations.push(...(delta.annotations ?? []));
      else if (delta.type === "arguments_delta") throw misplacedDelta(delta, step);
      else if (mediaTypes.has(delta.type)) readMedia(delta);
    },
    stop() {
      if (annotations.length > 0 && !isEmpty)
        emit({ type: "provider-data", data: { annotations } });
      return annotations.length === 0 && !isEmpty;
    },
  };
}

/**
 * A thought. Its signature comes last and in one piece (allenhutchison/obsidian-gemini#1269), and
 * belongs to the calls behind it, also if the thought has no summary. Pictures of a summary are
 * previews, and are not kept.
 */
export function readThoughtStep(emit: Emit, step: Interactions.ThoughtStep): StepReader {
  let signature = step.signature ?? "";
  let isEmpty = true;
  const readSummary = (content: { readonly type: string; readonly text?: unknown }): void => {
    if (content.type !== "text" || typeof content.text !== "string" || content.text === "") return;
    isEmpty = false;
    emit({ type: "thinking", text: content.text });
  };
  for (const content of step.summary ?? []) readSummary(content);
  return {
    textType: "thinking",
    delta(delta) {
      if (delta.type === "thought_signature") signature = delta.signature ?? signature;
      else if (delta.type === "thought_summary") readSummary(delta.content ?? { type: "none" });
      else if (delta.type === "text") readSummary(delta);
      else if (delta.type === "arguments_delta") throw misplacedDelta(delta, step);
    },
    stop() {
      if (signature === "") return !isEmpty;
      if (isEmpty) emit({ type: "thinking", text: "" });
      emit({ type: "provider-data", data: signature });
      return false;
    },
  };
}

/** The service's own tools without side effects. */
const readOnlySteps: ReadonlySet<string> = new Set<Step["type"]>([
  "google_search_call",
  "url_context_call",
  "google_maps_call",
  "file_search_call",
  "retrieval_call",
  "processing_call",
]);

export const isServerCall = ({ type }: Pick<Step, "type">): boolean => /_call$/.test(type);

/** A step of the service's own tools, and one of a new type: kept as the API wants it back. */
export function readNativeStep(emit: Emit, step: Step): StepReader {
  refuseOtherNames("tool call", step);
  let data: object = step;
  let isComplete = true;
  if (isServerCall(step) && !readOnlySteps.has(step.type)) emit({ type: "side-effects" });
  return {
    isNative: true,
    delta({ type, ...members }) {
      if (type === step.type || type === "thought_signature") data = { ...data, ...members };
      else isComplete = false;
    },
    stop() {
      if (!isComplete) return false;
      const { id, call_id: of } = data as { readonly id?: unknown; readonly call_id?: unknown };
      emit({
        type: "native",
        data,
        ...(isServerCall(step) && typeof id === "string" && { opens: id }),
        ...(typeof of === "string" && { closes: of }),
      });
      return false;
    },
  };
}
