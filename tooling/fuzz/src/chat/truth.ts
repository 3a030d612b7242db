import { type Intent, tokenCounts } from "../intent.ts";
import { isObject, jsonValue } from "../json.ts";
import type { Reading, StopMeaning, WireCall } from "../reading.ts";
import { decideReading, type Facts } from "../settle.ts";
import { cap } from "../tools.ts";
import type { IntendedCall } from "./calls.ts";
import { chatMeaning, type Host, hostOf } from "./hosts.ts";
import type { ChatStyle } from "./style.ts";

interface ReplyPlan {
  readonly style: ChatStyle;
  readonly stop: string;
  readonly calls: readonly IntendedCall[];
  readonly text: string;
}

/** The meaning that a host of this style intends. */
export function chatTruth(intent: Intent, { style, stop, calls, text }: ReplyPlan): Reading {
  const host = hostOf(style.host);
  const counted = comparableTokens(
    tokenCounts[intent.tokens],
    {
      reasoning: reasoningTokens(style),
      thought: intent.parts.some(({ kind }) => kind === "thinking"),
    },
    host,
  );
  const isWordless = style.stop === "none";
  const refuses = style.refuses && intent.parts.some(({ kind }) => kind === "text");
  const meaning = refuses ? refusedMeaning(chatMeaning(stop, host)) : chatMeaning(stop, host);
  const reading = decideReading({
    calls: calls.map((call): WireCall => intendedWireCall(call, style)),
    text,
    sendsBlankInputs: true,
    end: isWordless ? endWithoutStop(host, style.whole, counted) : "came",
    stops: isWordless
      ? []
      : [meaning, ...(style.stopReason === "length" ? ["length" as const] : [])],
    ...counted,
    ...(host.mislabelsTruncation && { mislabelsTruncation: true }),
    ...ambiguityOf(style, calls),
    ...(isWordless && refuses && { doubt: "a refusal without a stop reason" }),
    ...(isWordless &&
      calls.some(({ input }) => input.trim() === "") && {
        doubt: "an empty input without a stop reason",
      }),
    ...(isWordless && intent.parts.length === 0 && { doubt: "an empty reply" }),
  });
  const spills = style.stop === "late" || (!style.whole && style.tail === "prose");
  return { ...reading, spills };
}

/** A refusal beside calls is a refusal, under every stop reason of a finished reply. */
export const refusedMeaning = (meaning: StopMeaning): StopMeaning =>
  meaning === "stop" || meaning === "tool-use" ? "refusal" : meaning;

const reasoningTokens = ({ reasoning }: ChatStyle): number | undefined =>
  ({ absent: undefined, none: 0, some: 400 })[reasoning];

function intendedWireCall(
  { position, name, input, free }: IntendedCall,
  { ids, host, whole, inputs, legacy, emptyInput }: ChatStyle,
): WireCall {
  const hasId = ids !== "none" && legacy !== "instead";
  const id = host === "rotating" && !whole ? `call_${position}_0` : `call_${position}`;
  const text =
    input === "" && !free && emptyInput === "blank" && legacy !== "instead" ? " " : input;
  return {
    name,
    id: hasId ? id : undefined,
    text,
    free,
    restated: !whole && !free && ["growing", "twice", "flushed"].includes(inputs),
  };
}

/** Variations that the rules of the protocol do not cover. */
function ambiguityOf(
  style: ChatStyle,
  calls: readonly IntendedCall[],
): Pick<Facts, "doubt" | "ambiguous"> {
  const growing =
    style.inputs === "growing" &&
    !hostOf(style.host).restates &&
    calls.some(({ input, free }) => input.length > 1 && !free);
  if (growing) return { doubt: "deltas that may repeat or continue the input", ambiguous: true };
  const named = style.index !== "own" && style.names === "every" && !style.whole;
  if (named && calls.some(({ input, free }) => !free && !isObject(jsonValue(input))))
    return { doubt: "deltas that may be separate calls", ambiguous: true };
  return {};
}

/** The part of the usage that is comparable with the cap. */
export function comparableTokens(
  output: number | undefined,
  { reasoning, thought }: { reasoning: number | undefined; thought: boolean },
  host: Host,
): Pick<Facts, "output" | "usageUnclear"> {
  if (output === undefined) return { output };
  if (host.reasoning === "beside")
    return {
      output: output + (reasoning ?? 0),
      usageUnclear: output < cap && output + (reasoning ?? 0) >= cap,
    };
  if (host.reasoning !== "uncapped")
    return { output, usageUnclear: output >= cap && output - (reasoning ?? 0) < cap };
  if (reasoning !== undefined && reasoning <= output)
    return { output: output - reasoning, usageUnclear: false };
  return thought || reasoning !== undefined
    ? { output: undefined, usageUnclear: true }
    : { output };
}

/** Whether a reply without a stop reason is finished: a body, or a stream of a host that omits it. */
export function endWithoutStop(
  { doneEnds }: Host,
  whole: boolean,
  { output, usageUnclear }: Pick<Facts, "output" | "usageUnclear">,
): Facts["end"] {
  if (doneEnds === "never" || (doneEnds === "body" && !whole)) return "missing";
  if (usageUnclear) return "unclear";
  return output ? "came" : "missing";
}
