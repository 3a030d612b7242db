import fc from "fast-check";
import { type Drawn, mostly, oneOf, rarely } from "../chances.ts";
import { callsOf, type Intent, pieceSizes } from "../intent.ts";
import { isObject, jsonValue } from "../json.ts";
import { type HostName, hostOf, hosts } from "./hosts.ts";

/** Variations between hosts of the protocol. */
export const chatStyles = fc.record({
  host: fc.constantFrom(...(["openai", "custom", "custom", ...Object.keys(hosts)] as HostName[])),
  whole: rarely,
  sizes: pieceSizes,
  /** `same`: each call has the index 0. */
  index: oneOf("own", "own", "own", "none", "same"),
  ids: oneOf("first", "first", "every", "blank", "none"),
  names: oneOf("first", "first", "every"),
  /**
   * How an input is sent: in pieces, whole, each piece from the beginning, in pieces and then once
   * more, or in pieces without its end and then once more without white space.
   */
  inputs: oneOf("pieces", "pieces", "pieces", "whole", "growing", "twice", "flushed"),
  /** Arguments as a JSON object instead of a string. */
  asObject: rarely,
  /** How empty arguments are written. */
  emptyInput: oneOf("text", "text", "null", "absent", "blank"),
  /** The deltas of parallel calls are interleaved. */
  interleaved: rarely,
  /** A legacy `function_call` beside `tool_calls`. `instead`: only the legacy form. */
  legacy: oneOf("none", "none", "none", "none", "echo", "stub", "instead"),
  /** One call is repeated with another index. */
  repeated: rarely,
  stop: oneOf("own", "own", "own", "last", "twice", "late", "none"),
  /** The `finish_reason` of chunks that do not end the reply. */
  missingStop: oneOf("null", "empty", "absent"),
  usage: oneOf("own", "own", "stop", "choice", "groq"),
  /** A gateway adds a lower usage of its own after the host's. */
  shrinks: rarely,
  reasoning: oneOf("absent", "none", "some"),
  done: mostly,
  /**
   * What a host or a gateway adds: text behind the stop reason, the whole message in the last chunk,
   * or a last chunk with an id and a role of its own.
   */
  tail: oneOf("none", "none", "none", "none", "none", "prose", "message", "stranger"),
  /** A second member with a stop reason: none, the word for a cut, or a stop string of the host. */
  stopReason: oneOf("absent", "absent", "absent", "absent", "null", "length", "own"),
  /** A body is followed by the end of a stream. */
  doneBehindBody: rarely,
  refuses: rarely,
  unknownChunks: rarely,
});
export type ChatStyle = Drawn<typeof chatStyles>;

/** Removes variations that make this reply ambiguous for any reader. */
export function consistentChatStyle(drawnManner: ChatStyle, intent: Intent): ChatStyle {
  const style = styleOfHost(drawnManner);
  const calls = callsOf(intent);
  const stop = style.stop === "late" && style.inputs === "growing" ? "own" : style.stop;
  const single = calls.length === 1 && calls[0]?.kind === "call";
  return {
    ...style,
    ...distinguishable(style, intent),
    legacy:
      (style.legacy === "instead" && !single) ||
      (style.legacy === "echo" && calls[0]?.kind !== "call")
        ? "none"
        : style.legacy,
    repeated:
      style.repeated &&
      style.index === "own" &&
      style.ids !== "none" &&
      style.host !== "rotating" &&
      !style.interleaved,
    stop,
    tail: tailOf(style, intent),
    // vLLM has the stop string that was matched in this member.
    stopReason: style.host === "vllm" && style.stopReason === "length" ? "own" : style.stopReason,
    done: style.done || stop === "late" || stop === "none",
  };
}

/** A message in the last chunk repeats calls, which are recognized by their ids. */
function tailOf(
  { tail, stop, ids, index, inputs, legacy, refuses, host, repeated }: ChatStyle,
  intent: Intent,
): ChatStyle["tail"] {
  const isPlain =
    index === "own" &&
    ids !== "none" &&
    ["pieces", "whole"].includes(inputs) &&
    legacy === "none" &&
    !refuses &&
    !repeated &&
    host !== "rotating" &&
    host !== "restating" &&
    callsOf(intent).every(({ kind }) => kind === "call");
  const fits: Readonly<Record<ChatStyle["tail"], boolean>> = {
    none: true,
    prose: stop !== "none",
    message: stop === "own" && isPlain,
    stranger: stop === "own" && legacy !== "stub",
  };
  return fits[tail] ? tail : "none";
}

function styleOfHost(style: ChatStyle): ChatStyle {
  const { rotates, restates } = hostOf(style.host);
  if (rotates) return { ...style, index: "own", ids: "every", names: "every" };
  if (restates) return { ...style, index: "own", inputs: "growing", asObject: false };
  return style;
}

/** An input that starts with a previous input may be a repetition of it. */
function inputsDiffer(intent: Intent): boolean {
  const texts = callsOf(intent).map(({ input }) => input.replace(/\s/g, ""));
  return texts.every((text, n) =>
    texts.slice(0, n).every((before) => !text.startsWith(before.replace(/[}\]"]+$/, ""))),
  );
}

/** An index, ids or complete inputs must identify the calls. */
function distinguishable(
  style: ChatStyle,
  intent: Intent,
): Pick<ChatStyle, "ids" | "inputs" | "names" | "interleaved"> {
  const { index, ids, inputs, asObject, names, interleaved } = style;
  const isPlain =
    callsOf(intent).every(({ kind, input }) => kind === "call" && isObject(jsonValue(input))) &&
    inputsDiffer(intent);
  const byInputs = index !== "own" && (ids === "none" || ids === "blank") && isPlain;
  if (byInputs) return { ids, inputs: "whole", names: "every", interleaved: false };
  const needed = index !== "own" && (ids === "none" || ids === "blank") ? "first" : ids;
  return {
    ids: needed,
    inputs: asObject ? "whole" : inputs,
    names,
    interleaved: interleaved && index === "own",
  };
}
