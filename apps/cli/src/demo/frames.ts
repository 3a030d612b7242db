import type { ReplyCall, ReplyText } from "@fullstop/conformance";
import { anthropicWire as wire } from "@fullstop/conformance/wires/anthropic";
import { type Accident, type Input, type Step, tokensOf } from "./script.ts";

/** The id that the provider gives to an input of the `n`th step. */
export const idOf = (n: number, position: number): string => `toolu_demo_${n + 1}_${position + 1}`;

/** The `n`th step's reply as the data of its events; of a dropped one, what arrives. */
export function framesOf(step: Step, n: number): readonly string[] {
  const { text, inputs = [], accident } = step;
  const written = inputs.map((input, position): ReplyCall => ({ ...cut(input, accident), id: idOf(n, position) }));
  const blocks: readonly (ReplyText | ReplyCall)[] = [...(text === undefined ? [] : [{ text }]), ...written];
  const capped = accident?.kind === "cut" || accident?.kind === "relabelled";
  const output = capped ? step.cap : tokensOf(step);
  const runs = runsOf(wire.frames({ blocks, stop: wordOf(step), output }).upToTerminal);
  if (accident?.kind === "cut" || accident?.kind === "dropped") openUp(runs);
  const arrived = accident?.kind === "dropped" ? runs.slice(0, runs.findLastIndex(isInput) + 1) : runs;
  return arrived.flatMap(framesOfRun);
}

function wordOf({ inputs = [], accident }: Step): string {
  const { words } = wire;
  const word = {
    cut: words.length,
    filtered: words["content-filter"],
    relabelled: words["tool-use"],
    dropped: words["tool-use"],
    none: inputs.length > 0 ? words["tool-use"] : words.stop,
  }[accident?.kind ?? "none"];
  if (word === undefined) throw new Error(`The protocol ${wire.name} has no word for a reply that is ${accident?.kind ?? "whole"}.`);
  return word;
}

/** The input with its text cut; it is an object all the same. */
function cut({ name, input }: Input, accident: Accident | undefined): Input {
  if (accident === undefined || accident.kind === "filtered") return { name, input };
  const { content = "" } = input;
  const at = content.indexOf(accident.upTo);
  if (at < 0) throw new Error(`The script cuts ${name} behind "${accident.upTo}", which is not in it.`);
  return { name, input: { ...input, content: content.slice(0, at + accident.upTo.length) } };
}

interface Event {
  readonly type: string;
  readonly index?: number;
  readonly delta?: { readonly type?: string; readonly text?: string; readonly partial_json?: string };
}
/** Events of one block that continue each other, their text joined. */
interface Run {
  readonly event: Event;
  readonly key?: "text" | "partial_json";
  text: string;
}
const isInput = ({ key }: Run): boolean => key === "partial_json";

function runsOf(frames: readonly string[]): Run[] {
  const runs: Run[] = [];
  for (const event of frames.map((frame) => JSON.parse(frame) as Event)) {
    const key = (["text", "partial_json"] as const).find((name) => event.delta?.[name] !== undefined);
    const last = runs.at(-1);
    const text = (key && event.delta?.[key]) ?? "";
    if (key !== undefined && last?.key === key && last.event.index === event.index) last.text += text;
    else runs.push({ event, text, ...(key && { key }) });
  }
  return runs;
}

/** Takes the end of the last input away, so that its string and its object stay open. */
function openUp(runs: readonly Run[]): void {
  const last = runs.findLast(isInput);
  if (last !== undefined) last.text = last.text.slice(0, -'"}'.length);
}

/** Characters in one event, as models send them. */
const size = 16;
function framesOfRun({ event, key, text }: Run): readonly string[] {
  if (key === undefined) return [JSON.stringify(event)];
  const count = Math.max(1, Math.ceil(text.length / size));
  const pieces = Array.from({ length: count }, (_, n) => text.slice(n * size, (n + 1) * size));
  return pieces.map((piece) => JSON.stringify({ ...event, delta: { ...event.delta, [key]: piece } }));
}
