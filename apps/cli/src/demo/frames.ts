import type { ReplyCall, ReplyText } from "@fullstop/conformance";
import type { Fault, Input } from "./fault.ts";
import { type Fields, type Protocol, sendsWholeInputs, type TextPath } from "./providers.ts";
import { type Exchange, estimateTokens } from "./script.ts";

/** The id that the server gives to an input. Exchanges and positions count from 0. */
export const inputId = (exchange: number, position: number, { idPrefix }: Protocol): string =>
  `${idPrefix}_demo_${exchange + 1}_${position + 1}`;

/** The events of a reply as JSON. If the connection is lost, only the events that arrive. */
export function buildFrames(
  exchange: Exchange,
  index: number,
  protocol: Protocol,
): readonly string[] {
  const { text, fault, cap } = exchange;
  const calls = inputsSent(exchange, protocol).map(
    (input, position): ReplyCall => ({ ...input, id: inputId(index, position, protocol) }),
  );
  const blocks: readonly (ReplyText | ReplyCall)[] =
    text === undefined ? calls : [{ text }, ...calls];
  const reachesCap = fault?.kind === "cut" || fault?.kind === "relabelled";
  const { upToTerminal, after = [] } = protocol.wire.frames({
    blocks,
    stop: nativeStopFor(exchange, protocol),
    output: reachesCap ? cap : estimateTokens(exchange),
  });
  const groups = groupEvents(upToTerminal, protocol);
  if (fault?.kind === "cut" || fault?.kind === "dropped") removeInputEnd(groups, protocol);
  if (fault?.kind !== "dropped") return [...serialize(groups), ...after];
  const arrived = sendsWholeInputs(protocol) ? -1 : groups.findLastIndex(isInput) + 1;
  return serialize(groups.slice(0, arrived));
}

function nativeStopFor({ inputs = [], fault }: Exchange, { wire }: Protocol): string {
  const { nativeStops } = wire;
  const stop = {
    cut: nativeStops.length,
    filtered: nativeStops["content-filter"],
    relabelled: nativeStops["tool-use"],
    dropped: nativeStops["tool-use"],
    none: inputs.length > 0 ? nativeStops["tool-use"] : nativeStops.stop,
  }[fault?.kind ?? "none"];
  if (stop === undefined)
    throw new Error(
      `The protocol ${wire.name} has no native stop reason for the fault "${fault?.kind ?? "none"}".`,
    );
  return stop;
}

/**
 * The inputs that arrive, as objects. Where inputs are sent whole, a broken one does not arrive.
 */
export function inputsSent({ inputs = [], fault }: Exchange, protocol: Protocol): readonly Input[] {
  if (fault === undefined || fault.kind === "filtered") return inputs;
  if (fault.kind !== "relabelled" && sendsWholeInputs(protocol)) return fault.wholeInputs;
  return inputs.map((input) => truncateContent(input, fault));
}

function truncateContent(
  { name, input }: Input,
  { cutAfter }: Extract<Fault, { readonly cutAfter: string }>,
): Input {
  const { content = "" } = input;
  const at = content.indexOf(cutAfter);
  if (at < 0)
    throw new Error(`The script cuts the input of ${name} after "${cutAfter}", which is missing.`);
  return { name, input: { ...input, content: content.slice(0, at + cutAfter.length) } };
}

/** Consecutive events that add to the same text, with their texts joined; or one other event. */
interface EventGroup {
  event: Fields;
  readonly kind?: keyof Protocol["textPaths"];
  readonly path?: TextPath;
  text: string;
}
const isInput = ({ kind }: EventGroup): boolean => kind === "input";

function groupEvents(frames: readonly string[], { textPaths }: Protocol): EventGroup[] {
  const groups: EventGroup[] = [];
  for (const event of frames.map((frame) => JSON.parse(frame) as Fields)) {
    const kind = (["text", "input"] as const).find((one) => textAt(event, textPaths[one]) !== "");
    const path = kind && textPaths[kind];
    const text = textAt(event, path);
    const last = groups.at(-1);
    if (kind !== undefined && last?.kind === kind) last.text += text;
    else groups.push({ event, text, ...(kind && path && { kind, path }) });
  }
  return groups;
}

type JsonParent = Record<string | number, unknown> | null | undefined;
const parentAt = (event: Fields, { keys }: TextPath): JsonParent =>
  keys
    .slice(0, -1)
    .reduce<JsonParent>((part, key) => part?.[key] as JsonParent, event as JsonParent);

function textAt(event: Fields, path: TextPath | undefined): string {
  if (path === undefined) return "";
  if (path.eventType !== undefined && path.eventType !== event["type"]) return "";
  const text = parentAt(event, path)?.[path.keys.at(-1) ?? ""];
  return typeof text === "string" ? text : "";
}

function withText(event: Fields, path: TextPath, text: string): Fields {
  const copy = structuredClone(event);
  Object.assign(parentAt(copy, path) ?? {}, { [path.keys.at(-1) ?? ""]: text });
  return copy;
}

/** Removes `"}` from the last input, so that its string and its object stay open. */
function removeInputEnd(groups: readonly EventGroup[], protocol: Protocol): void {
  const { replaceInput = (event) => event } = protocol;
  const last = groups.findLast(isInput);
  if (last === undefined) return;
  const complete = last.text;
  last.text = complete.slice(0, -'"}'.length);
  for (const group of groups) group.event = replaceInput(group.event, complete, last.text);
}

/** As models send them. */
const charactersPerEvent = 16;

/** The events as JSON. If the protocol numbers its events, they are numbered again. */
const serialize = (groups: readonly EventGroup[]): readonly string[] =>
  groups
    .flatMap(splitEvent)
    .map((event, index) =>
      JSON.stringify("sequence_number" in event ? { ...event, sequence_number: index } : event),
    );

function splitEvent({ event, path, text }: EventGroup): readonly Fields[] {
  if (path === undefined) return [event];
  const count = Math.max(1, Math.ceil(text.length / charactersPerEvent));
  return Array.from({ length: count }, (_, index) =>
    withText(event, path, text.slice(index * charactersPerEvent, (index + 1) * charactersPerEvent)),
  );
}
