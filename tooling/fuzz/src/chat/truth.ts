import { type Intent, tokenCounts } from "../intent.ts";
import { isObject, jsonValue } from "../json.ts";
import type { Reading, Said } from "../reading.ts";
import { type Facts, settle } from "../settle.ts";
import { cap } from "../tools.ts";
import type { Meant } from "./calls.ts";
import { type Host, hostOf, meaningOf } from "./hosts.ts";
import type { Manner } from "./manner.ts";

interface Meaning {
  readonly manner: Manner;
  readonly word: string;
  readonly meant: readonly Meant[];
  readonly text: string;
}

/** What a host of this manner means to say. */
export function truthOf(intent: Intent, { manner, word, meant, text }: Meaning): Reading {
  const host = hostOf(manner.host);
  const counted = counts(
    tokenCounts[intent.tokens],
    { reasoning: reasoned(manner), thought: intent.parts.some(({ kind }) => kind === "thinking") },
    host,
  );
  const isWordless = manner.word === "none";
  const refuses = manner.refuses && text !== "";
  const meaning = refuses && word === "stop" ? "refusal" : meaningOf(word, host);
  const reading = settle({
    calls: meant.map((call): Said => saidBy(call, manner)),
    text,
    blanks: true,
    end: isWordless ? wordless(host, counted) : "came",
    words: isWordless ? [] : [meaning],
    ...counted,
    ...(host.mislabelsTruncation && { mislabelsTruncation: true }),
    ...doubtOf(manner, meant),
    ...(isWordless && refuses && { doubt: "it refuses, and has no word" }),
    ...(isWordless && intent.parts.length === 0 && { doubt: "it says nothing" }),
  });
  return { ...reading, spills: manner.word === "late" };
}

const reasoned = ({ reasoning }: Manner): number | undefined =>
  ({ absent: undefined, none: 0, some: 400 })[reasoning];

function saidBy(
  { n, name, input, free }: Meant,
  { ids, host, whole, inputs, legacy, nothing }: Manner,
): Said {
  const hasId = ids !== "none" && legacy !== "instead";
  const id = host === "rotating" && !whole ? `call_${n}_0` : `call_${n}`;
  const text = input === "" && !free && nothing === "blank" && legacy !== "instead" ? " " : input;
  return {
    name,
    id: hasId ? id : undefined,
    text,
    free,
    restated: !whole && !free && (inputs === "growing" || inputs === "twice"),
  };
}

/** Manners that the protocol's rules leave open: a host may say so, and a reader need not believe it. */
function doubtOf(manner: Manner, meant: readonly Meant[]): Pick<Facts, "doubt" | "blurred"> {
  const growing =
    manner.inputs === "growing" &&
    !hostOf(manner.host).restates &&
    meant.some(({ input, free }) => input.length > 1 && !free);
  if (growing)
    return { doubt: "its pieces may restate their input, or go on with it", blurred: true };
  const named = manner.index !== "own" && manner.names === "every" && !manner.whole;
  if (named && meant.some(({ input, free }) => !free && !isObject(jsonValue(input))))
    return { doubt: "its pieces may be calls of their own", blurred: true };
  return {};
}

/** What of the usage is to be compared with the cap. */
export function counts(
  output: number | undefined,
  { reasoning, thought }: { reasoning: number | undefined; thought: boolean },
  host: Host,
): Pick<Facts, "output" | "vague"> {
  if (output === undefined) return { output };
  if (host.reasoning === "beside") return { output: output + (reasoning ?? 0) };
  if (host.reasoning !== "uncapped")
    return { output, vague: output >= cap && output - (reasoning ?? 0) < cap };
  if (reasoning !== undefined && reasoning <= output)
    return { output: output - reasoning, vague: false };
  return thought || reasoning !== undefined ? { output: undefined, vague: true } : { output };
}

/** A usage is only reported when generation has ended. */
export function wordless(
  host: Host,
  { output, vague }: Pick<Facts, "output" | "vague">,
): Facts["end"] {
  if (host.doneEnds === "always") return "came";
  if (host.doneEnds === "never") return "missing";
  if (vague) return "unclear";
  return output ? "came" : "missing";
}
