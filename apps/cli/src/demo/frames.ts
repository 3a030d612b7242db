import type { ReplyCall, ReplyText } from "@fullstop/conformance";
import { comeWhole, type Fields, type Place, type Protocol } from "./protocols/protocol.ts";
import { type Accident, type Input, type Step, tokensOf } from "./script.ts";

/** The id that the provider gives to an input of the `n`th step. */
export const idOf = (n: number, position: number, { idPrefix }: Protocol): string =>
  `${idPrefix}_demo_${n + 1}_${position + 1}`;

/** The `n`th step's reply as the data of its events; of a dropped one, what arrives. */
export function framesOf(step: Step, n: number, protocol: Protocol): readonly string[] {
  const { text, accident } = step;
  const calls = arriving(step, protocol).map(
    (input, position): ReplyCall => ({ ...input, id: idOf(n, position, protocol) }),
  );
  const blocks: readonly (ReplyText | ReplyCall)[] = [
    ...(text === undefined ? [] : [{ text }]),
    ...calls,
  ];
  const capped = accident?.kind === "cut" || accident?.kind === "relabelled";
  const output = capped ? step.cap : tokensOf(step);
  const { upToTerminal, after = [] } = protocol.wire.frames({
    blocks,
    stop: wordOf(step, protocol),
    output,
  });
  const runs = runsOf(upToTerminal, protocol);
  if (accident?.kind === "cut" || accident?.kind === "dropped") openUp(runs, protocol);
  if (accident?.kind !== "dropped") return [...written(runs), ...after];
  return written(runs.slice(0, comeWhole(protocol) ? -1 : runs.findLastIndex(isInput) + 1));
}

function wordOf({ inputs = [], accident }: Step, { wire }: Protocol): string {
  const { nativeStops: words } = wire;
  const word = {
    cut: words.length,
    filtered: words["content-filter"],
    relabelled: words["tool-use"],
    dropped: words["tool-use"],
    none: inputs.length > 0 ? words["tool-use"] : words.stop,
  }[accident?.kind ?? "none"];
  if (word === undefined)
    throw new Error(
      `The protocol ${wire.name} has no word for a reply that is ${accident?.kind ?? "whole"}.`,
    );
  return word;
}

/** What comes of the step's inputs, an object all the same. Where inputs come whole, a broken one does not come. */
export function arriving({ inputs = [], accident }: Step, protocol: Protocol): readonly Input[] {
  if (accident === undefined || accident.kind === "filtered") return inputs;
  if (accident.kind !== "relabelled" && comeWhole(protocol)) return accident.whole;
  return inputs.map((input) => cut(input, accident));
}

/** The input with its text cut. */
function cut(
  { name, input }: Input,
  { upTo }: Extract<Accident, { readonly upTo: string }>,
): Input {
  const { content = "" } = input;
  const at = content.indexOf(upTo);
  if (at < 0) throw new Error(`The script cuts ${name} behind "${upTo}", which is not in it.`);
  return { name, input: { ...input, content: content.slice(0, at + upTo.length) } };
}

/** Events that continue each other, the text that they add joined. */
interface Run {
  event: Fields;
  readonly of?: keyof Protocol["pieces"];
  readonly place?: Place;
  text: string;
}
const isInput = ({ of }: Run): boolean => of === "input";

function runsOf(frames: readonly string[], { pieces }: Protocol): Run[] {
  const runs: Run[] = [];
  for (const event of frames.map((frame) => JSON.parse(frame) as Fields)) {
    const of = (["text", "input"] as const).find((kind) => textAt(event, pieces[kind]) !== "");
    const text = textAt(event, of && pieces[of]);
    const last = runs.at(-1);
    if (of !== undefined && last?.of === of) last.text += text;
    else runs.push({ event, text, ...(of && pieces[of] && { of, place: pieces[of] }) });
  }
  return runs;
}

type Holder = Record<string | number, unknown> | null | undefined;
const holderAt = (event: Fields, { at }: Place): Holder =>
  at.slice(0, -1).reduce<Holder>((part, key) => part?.[key] as Holder, event as Holder);

function textAt(event: Fields, place: Place | undefined): string {
  if (place === undefined || (place.type !== undefined && place.type !== event["type"])) return "";
  const text = holderAt(event, place)?.[place.at.at(-1) ?? ""];
  return typeof text === "string" ? text : "";
}

function withText(event: Fields, place: Place, text: string): Fields {
  const copy = structuredClone(event);
  Object.assign(holderAt(copy, place) ?? {}, { [place.at.at(-1) ?? ""]: text });
  return copy;
}

/** Takes the end of the last input away, so that its string and its object stay open. */
function openUp(runs: readonly Run[], { recut = (event) => event }: Protocol): void {
  const last = runs.findLast(isInput);
  if (last === undefined) return;
  const whole = last.text;
  last.text = whole.slice(0, -'"}'.length);
  for (const run of runs) run.event = recut(run.event, whole, last.text);
}

/** Characters in one event, as models send them. */
const size = 16;

/** The events as data, counted anew where they are counted. */
const written = (runs: readonly Run[]): readonly string[] =>
  runs
    .flatMap(eventsOf)
    .map((event, n) =>
      JSON.stringify("sequence_number" in event ? { ...event, sequence_number: n } : event),
    );

function eventsOf({ event, place, text }: Run): readonly Fields[] {
  if (place === undefined) return [event];
  const count = Math.max(1, Math.ceil(text.length / size));
  return Array.from({ length: count }, (_, n) =>
    withText(event, place, text.slice(n * size, (n + 1) * size)),
  );
}
