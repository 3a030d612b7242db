import type { TurnEvent } from "@fullstop/core/adapter";
import {
  alterTurn,
  assumeCalls,
  both,
  changeBodies,
  changeEvents,
  changeTurns,
  ignoreReasons,
  loseUsage,
  relabelCap,
} from "../../src/clauses/mutants.ts";
import { isObject, tryParseJson } from "../../src/harness/json.ts";
import { nativeStopForCalls } from "../../src/harness/scenarios.ts";
import type { AdapterSubject } from "../../src/index.ts";

type Break = (sound: AdapterSubject) => AdapterSubject;

/** A decoder that keeps the pieces of each input back, and gives its text changed at its end. */
const changeInputs = (change: (text: string) => string): Break =>
  changeEvents(() => () => {
    const texts = new Map<unknown, string>();
    return (event): readonly TurnEvent[] => {
      if (event.type === "tool-input-delta") {
        texts.set(event.key, (texts.get(event.key) ?? "") + event.text);
        return [];
      }
      if (event.type !== "tool-input-end") return [event];
      return [{ ...event, text: change(unquote(event.text ?? texts.get(event.key) ?? "")) }];
    };
  });

/** A string of JSON that holds the text of an input. */
const unquote = (text: string): string => {
  const value = tryParseJson(text);
  return typeof value === "string" ? value : text;
};
const ends = ["", "}", '"}', ":null}", "null}", '":null}', "}}", "]}}", "}]}}", "]}]}}", '"]}]}}'];
const isJson = (text: string): boolean => tryParseJson(text) !== undefined;
const closeBrackets = (text: string): string => ends.map((end) => text + end).find(isJson) ?? text;
const emptyUnlessJson = (text: string): string => (isJson(text) ? text : "{}");

const isBlank = (native: string): boolean => native.trim() === "" || native === "null";

type Path = readonly string[];
/** The path of the member that holds the native stop reason of a body. */
function pathOf(one: unknown, other: unknown, at: Path = []): Path | undefined {
  if (one === other) return undefined;
  if (typeof one !== "object" || one === null) return at;
  for (const [key, value] of Object.entries(one)) {
    const path = pathOf(value, Object(other)[key], [...at, key]);
    if (path !== undefined) return path;
  }
  return undefined;
}

/** A body with this stop reason where it has none: what `body.stop ?? word` makes of it. */
function withStop(value: unknown, [key = "", ...rest]: Path, stop: string): unknown {
  const holder = Object(value) as Readonly<Record<string, unknown>>;
  const inner = holder[key];
  const isMissing = inner === undefined || isBlank(String(inner));
  const own = isMissing ? stop : inner;
  const changed = rest.length > 0 ? withStop(inner, rest, stop) : own;
  return Array.isArray(value) ? value.with(Number(key), changed) : { ...holder, [key]: changed };
}

const assumeStopInBodies: Break = (sound) => {
  const bodyWith = (stop: string): unknown =>
    tryParseJson(sound.wire.whole?.({ blocks: [], stop, output: 1 }) ?? "");
  const path = pathOf(bodyWith("x_one"), bodyWith("x_two")) ?? [];
  const native = nativeStopForCalls(sound.wire) ?? "";
  return changeBodies((text) => {
    const value = tryParseJson(text);
    return isObject(value) && !value["error"]
      ? JSON.stringify(withStop(value, path, native))
      : text;
  })(sound);
};

/** What a decoder does wrong, and the clauses that must find it streamed and in one piece. */
interface DecoderBreak {
  readonly subject: Break;
  readonly streamed: string | undefined;
  readonly whole: string;
}
const foundBy = (clause: string, subject: Break): DecoderBreak => ({
  subject,
  streamed: clause,
  whole: clause,
});

export const breaks: Readonly<Record<string, DecoderBreak>> = {
  "takes the stop reason of calls if there is none": {
    subject: assumeStopInBodies,
    streamed: undefined,
    whole: "stop.no-word",
  },
  "closes an input that was cut": foundBy("call.cut-input", changeInputs(closeBrackets)),
  "makes {} of an input that is not JSON": foundBy(
    "call.invalid-json",
    changeInputs(emptyUnlessJson),
  ),
  "loses the usage": foundBy("turn.usage", loseUsage),
  "runs calls at the cap": foundBy("stop.cap", ignoreReasons("cap-reached")),
  "lists the stop reason of the cap as that of calls": foundBy("stop.words", relabelCap),
  "lists it so, and loses the usage": foundBy("stop.words", both(relabelCap, loseUsage)),
  "takes an unknown stop reason for that of calls": foundBy(
    "stop.unknown-word",
    assumeCalls((native, stops) => !isBlank(native) && !Object.hasOwn(stops, native)),
  ),
  "asks for a stream in place of a reply in one piece": {
    subject: (sound) => ({ ...sound, wholeAdapter: sound.adapter }),
    streamed: undefined,
    whole: "request.whole",
  },
  "drops the vendor's sentence of an error": foundBy(
    "error.in-band",
    changeTurns((turn) =>
      "error" in turn
        ? alterTurn(turn, { error: { ...turn.error, message: "The provider failed." } })
        : turn,
    ),
  ),
};
