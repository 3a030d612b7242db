import fc from "fast-check";
import { mostly, rarely } from "../chances.ts";
import { callsOf, type Intent, pieceSizes } from "../intent.ts";
import { isObject, jsonValue } from "../json.ts";
import { type HostName, hostOf, hosts } from "./hosts.ts";

/** What hosts of the protocol do in their own way. */
export interface Manner {
  readonly host: HostName;
  readonly whole: boolean;
  readonly sizes: readonly number[];
  /** `same`: every call has the index 0. */
  readonly index: "own" | "none" | "same";
  readonly ids: "first" | "every" | "blank" | "none";
  readonly names: "first" | "every";
  /** How an input is cut up: in pieces, whole, each piece from the beginning, or in pieces and then once more. */
  readonly inputs: "pieces" | "whole" | "growing" | "twice";
  /** Arguments as JSON in place of a text that holds it. */
  readonly asObject: boolean;
  /** What stands for arguments that a call does not have. */
  readonly nothing: "text" | "null" | "absent" | "blank";
  /** The pieces of parallel calls take turns. */
  readonly mixed: boolean;
  /** The calls are said once more in the API's first form. `instead`: a single call is said only so. */
  readonly legacy: "none" | "echo" | "stub" | "instead";
  /** A call that is said again under another index. */
  readonly again: boolean;
  readonly word: "own" | "last" | "twice" | "late" | "none";
  /** What other chunks have in place of a word. */
  readonly noWord: "null" | "empty" | "absent";
  readonly usage: "own" | "word" | "choice" | "groq";
  readonly reasoning: "absent" | "none" | "some";
  readonly done: boolean;
  readonly refuses: boolean;
  readonly strangers: boolean;
}

const drawn: fc.Arbitrary<Manner> = fc.record({
  host: fc.constantFrom(...(["openai", "custom", "custom", ...Object.keys(hosts)] as HostName[])),
  whole: rarely,
  sizes: pieceSizes,
  index: fc.constantFrom("own", "own", "own", "none", "same"),
  ids: fc.constantFrom("first", "first", "every", "blank", "none"),
  names: fc.constantFrom("first", "first", "every"),
  inputs: fc.constantFrom("pieces", "pieces", "pieces", "whole", "growing", "twice"),
  asObject: rarely,
  nothing: fc.constantFrom("text", "text", "null", "absent", "blank"),
  mixed: rarely,
  legacy: fc.constantFrom("none", "none", "none", "none", "echo", "stub", "instead"),
  again: rarely,
  word: fc.constantFrom("own", "own", "own", "last", "twice", "late", "none"),
  noWord: fc.constantFrom("null", "empty", "absent"),
  usage: fc.constantFrom("own", "own", "word", "choice", "groq"),
  reasoning: fc.constantFrom("absent", "none", "some"),
  done: mostly,
  refuses: rarely,
  strangers: rarely,
});
export const manners = drawn;

/** The manner without what no reader could tell apart in this reply. */
export function consistent(drawnManner: Manner, intent: Intent): Manner {
  const manner = ofHost(drawnManner);
  const calls = callsOf(intent);
  const word = manner.word === "late" && manner.inputs === "growing" ? "own" : manner.word;
  const single = calls.length === 1 && calls[0]?.kind === "call";
  return {
    ...manner,
    ...told(manner, intent),
    legacy:
      (manner.legacy === "instead" && !single) ||
      (manner.legacy === "echo" && calls[0]?.kind !== "call")
        ? "none"
        : manner.legacy,
    again:
      manner.again &&
      manner.index === "own" &&
      manner.ids !== "none" &&
      manner.host !== "rotating" &&
      !manner.mixed,
    word,
    done: manner.done || word === "late" || word === "none",
  };
}

function ofHost(manner: Manner): Manner {
  const { rotates, restates } = hostOf(manner.host);
  if (rotates) return { ...manner, index: "own", ids: "every", names: "every" };
  if (restates) return { ...manner, index: "own", inputs: "growing", asObject: false };
  return manner;
}

/** An input that begins as the one before it may be that one, said at greater length. */
function areApart(intent: Intent): boolean {
  const texts = callsOf(intent).map(({ input }) => input.replace(/\s/g, ""));
  return texts.every((text, n) =>
    texts.slice(0, n).every((before) => !text.startsWith(before.replace(/[}\]"]+$/, ""))),
  );
}

/** Which calls there are must follow from an index, from ids, or from inputs that are whole. */
function told(manner: Manner, intent: Intent): Pick<Manner, "ids" | "inputs" | "names" | "mixed"> {
  const { index, ids, inputs, asObject, names, mixed } = manner;
  const isPlain =
    callsOf(intent).every(({ kind, input }) => kind === "call" && isObject(jsonValue(input))) &&
    areApart(intent);
  const byInputs = index !== "own" && (ids === "none" || ids === "blank") && isPlain;
  if (byInputs) return { ids, inputs: "whole", names: "every", mixed: false };
  const needed = index !== "own" && (ids === "none" || ids === "blank") ? "first" : ids;
  return {
    ids: needed,
    inputs: asObject ? "whole" : inputs,
    names,
    mixed: mixed && index === "own",
  };
}
