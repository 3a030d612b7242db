import type { TurnRequest } from "../contract/adapter.ts";
import type { Preview } from "../contract/event.ts";
import type { StopReason } from "../contract/stop.ts";
import type { LeakedCall, LeakedForm, Turn } from "../contract/turn.ts";
import { type FoundJson, type Member, scanJsonAt } from "../json/cut-json.ts";
import { type Form, forms } from "./forms.ts";
import { shownAsCode } from "./shown-as-code.ts";

/** Watches one reply for a call that the model writes as text. */
export interface LeakWatch {
  /** Give it every preview: it keeps the thinking, which a turn does not have. */
  readonly onPreview: ((event: Preview) => void) | undefined;
  /** The call that the reply ends in, as a member of its turn. */
  readonly leakIn: (turn: Turn) => { readonly leakedCall?: LeakedCall };
}

const leakReasons: ReadonlySet<StopReason> = /* @__PURE__ */ new Set([
  "stop",
  "length",
  "context-window",
  "malformed-tool-call",
]);

/** Watches one reply for a call that is text. `onPreview` gets each preview too. */
export function watchForLeak(
  tools: TurnRequest["tools"],
  onPreview: ((event: Preview) => void) | undefined,
): LeakWatch {
  const names = new Set(tools?.map(({ name }) => name));
  if (names.size === 0) return { onPreview, leakIn: () => ({}) };
  let thinking = "";
  return {
    onPreview: (event) => {
      if (event.type === "thinking") thinking += event.text;
      onPreview?.(event);
    },
    leakIn: (turn) => {
      const { stopReason, text, calls, withheld } = turn;
      const isAnswer = "output" in turn && turn.output !== undefined && "value" in turn.output;
      if (calls.length > 0 || withheld.length > 0 || isAnswer || !leakReasons.has(stopReason))
        return {};
      const place = text.trim() === "" ? "thinking" : "text";
      const isCut = stopReason === "length" || stopReason === "context-window";
      const found = findLeak(place === "text" ? text : thinking, names, isCut);
      return found === undefined ? {} : { leakedCall: Object.freeze({ ...found, in: place }) };
    },
  };
}

type Found = Omit<LeakedCall, "in">;

/** What every form begins with, so that most texts are read once. */
const marks =
  /<tool_call>(?!\s*\]<\])|<function=|<(?:antml:)?invoke name=|<[|｜‖]{1,2}DSML[|｜‖]{1,2}invoke|\[TOOL_CALLS\]|to=functions\.|<\|tool_call(?:>|_begin\|>)|<｜tool▁call▁begin｜>|<\|python_(?:tag|start)\|>|(?<!\w)call:[\w.-]{1,128}\{/g;

interface Reading {
  readonly text: string;
  readonly names: ReadonlySet<string | undefined>;
  /** A call without its end may be the end of the text: the text was cut, or it ends in markup. */
  readonly mayBeOpen: boolean;
}

/**
 * The call of an offered tool that a text ends in. A text that shows markup as code, or markup that
 * calls no such tool, is about the markup and ends in none. Reads each character a bounded number of
 * times.
 */
function findLeak(
  text: string,
  names: ReadonlySet<string | undefined>,
  isCut: boolean,
): Found | undefined {
  const reading: Reading = { text, names, mayBeOpen: isCut || /[>}]$/.test(text.trimEnd()) };
  const bare = readRun(reading, 0, ["json"]);
  if (bare.first !== undefined && bare.end >= text.length) return bare.first;
  const isCode = shownAsCode(text);
  let from = 0;
  let earlier: number | undefined;
  for (;;) {
    marks.lastIndex = from;
    const mark = marks.exec(text);
    if (mark === null || isCode(mark.index)) return undefined;
    const { first, end } = readRun(reading, mark.index, markedForms);
    if (first === undefined) return undefined;
    earlier ??= first.at;
    if (end >= text.length) return withoutExamples(text, { ...first, at: earlier });
    from = end;
  }
}

/** Calls that follow each other: the first of an offered tool, and where the last one ends. */
function readRun(
  reading: Reading,
  start: number,
  candidates: readonly LeakedForm[],
): { readonly first: Found | undefined; readonly end: number } {
  const { text, names } = reading;
  let first: Found | undefined;
  let end = start;
  for (;;) {
    const call = readNext(text, end, first?.form) ?? readCall(reading, end, candidates);
    if (call === undefined) return { first, end };
    if (call.name !== undefined && names.has(call.name))
      first ??= { name: call.name, form: call.form, at: start };
    end = endOf(text, call);
    if (end >= text.length) return { first, end };
  }
}

const readNext = (text: string, at: number, form: LeakedForm | undefined): ReadCall | undefined =>
  form !== undefined && text[at] === "{"
    ? readInput(text, at, { name: undefined, form })
    : undefined;

interface ReadCall {
  readonly name: string | undefined;
  readonly form: LeakedForm;
  /** Behind the call. The text is cut in it if this is its length. */
  readonly end: number;
}

const markedForms: readonly LeakedForm[] = /* @__PURE__ */ listMarkedForms();

function listMarkedForms(): readonly LeakedForm[] {
  return (Object.keys(forms) as LeakedForm[]).filter((form) => form !== "json");
}

function readCall(
  { text, mayBeOpen }: Reading,
  at: number,
  candidates: readonly LeakedForm[],
): ReadCall | undefined {
  for (const form of candidates) {
    const { opens, closes } = forms[form];
    opens.lastIndex = at;
    const opened = opens.exec(text);
    if (opened === null) continue;
    const name = opened.groups?.["name"];
    if (closes === undefined) return readInput(text, opens.lastIndex, { name, form });
    const closed = text.indexOf(closes, opens.lastIndex);
    if (closed < 0 && !mayBeOpen) return undefined;
    return { name, form, end: closed < 0 ? text.length : closed + closes.length };
  }
  return undefined;
}

/** The JSON object at this position: an input, or a call with its name. */
function readInput(
  text: string,
  at: number,
  { name, form }: Pick<ReadCall, "name" | "form">,
): ReadCall {
  const json = scanJsonAt(text, at);
  const end = json.result === "cut" ? text.length : json.end;
  return { name: name ?? (json.result === "invalid" ? undefined : nameIn(text, json)), form, end };
}

const inputKeys = /* @__PURE__ */ new Set(['"arguments"', '"parameters"', '"input"', '"args"']);

const isDescription = ({ key }: Member): boolean => key === '"description"';

/** Whether a member has the schema of an input, so that the JSON defines a tool. */
function isSchema(text: string, { key, from, to }: Member): boolean {
  if (key !== '"parameters"') return false;
  const value = text.slice(from, to);
  const { members } = scanJsonAt(value, 0);
  const type = textOfMember(value, members, '"type"') ?? "";
  const properties = textOfMember(value, members, '"properties"') ?? "";
  // Values at the end of a cut text are cut, too.
  if (!type.startsWith('"') || !'"object"'.startsWith(type)) return false;
  return properties.startsWith("{") || members.every((member) => schemaKeys.has(member.key));
}
const schemaKeys: ReadonlySet<string> = /* @__PURE__ */ new Set(
  ["$schema", "additionalProperties", "properties", "required", "title", "type"].map(
    (key) => `"${key}"`,
  ),
);

/**
 * The name in the JSON of a call that has an input, too: `{ name, arguments }` and its variants.
 * The definition of a tool has a description or a schema, and calls nothing.
 */
function nameIn(text: string, { members }: FoundJson): string | undefined {
  const inner = textOfMember(text, members, '"function"');
  const isNested = inner?.startsWith("{") ?? false;
  const holder = isNested && inner !== undefined ? inner : text;
  const parts = isNested && inner !== undefined ? scanJsonAt(inner, 0).members : members;
  if (!parts.some(({ key }) => inputKeys.has(key))) return undefined;
  if (parts.some((part) => isDescription(part) || isSchema(holder, part))) return undefined;
  const name = textOfMember(holder, parts, '"name"');
  return /^"([\w.:-]{1,128})"$/.exec(name ?? inner ?? "")?.[1];
}

function textOfMember(
  text: string,
  members: FoundJson["members"],
  key: string,
): string | undefined {
  const member = members.find((candidate) => candidate.key === key);
  return member && text.slice(member.from, member.to);
}

/** What may follow a call: space, the ends of lists and of groups, special tokens. */
const trailer =
  /(?:\]<\]minimax\[>\[|[\s,;}\]]|<\/[^<>]{1,40}>|<\|\w{1,40}\|(?:>|$)|<｜[^<>｜]{1,40}｜>|<\w{1,40}\|>|```)/y;

/** Where the next call or another text begins behind this call. */
function endOf(text: string, { end, form }: ReadCall): number {
  const { debris = 0 }: Form = forms[form];
  let at = end;
  for (;;) {
    trailer.lastIndex = at;
    if (isMarkAt(text, at) || !trailer.test(text)) break;
    at = trailer.lastIndex;
  }
  return text.length - at <= debris ? text.length : at;
}

/** Not `marks.source` at this level: a program without the search would have to read it, too. */
const markHere: RegExp = /* @__PURE__ */ stickyOf(marks);
function stickyOf({ source }: RegExp): RegExp {
  return new RegExp(source, "y");
}
function isMarkAt(text: string, at: number): boolean {
  markHere.lastIndex = at;
  return markHere.test(text);
}

/** With what stands before it. A call in an element of another kind is an example. */
const withoutExamples = (text: string, first: Found): Found | undefined =>
  isContained(text, first.at) ? undefined : { ...first, at: beforeWrappers(text, first.at) };

/** The elements around calls that models and servers write. Any other element shows an example. */
const aroundCalls =
  /^(?:[\w-]*calls?|tool\w*|invoke|function|parameter|think\w*|reasoning|analysis|actions?|answer|response|output|final|assistant)$/i;

/** Whether the call at this position is in an element of another kind, which ends the text. */
function isContained(text: string, at: number): boolean {
  const name = /<\/([a-z][\w-]{0,38})>\s{0,40}$/i.exec(text.slice(-longestEnd))?.[1];
  if (name === undefined || aroundCalls.test(name)) return false;
  const opening = text.lastIndexOf(`<${name}`, at);
  return opening >= 0 && opening < at;
}
const longestEnd = 100;

/** What may stand before the first call of a reply: the beginning of a group, special tokens. */
const wrappers =
  /(?:\s|\]<\]minimax\[>\[|<[|｜‖\w:▁]{0,12}(?:function_calls|tool▁calls▁begin|(?:minimax:)?tool_calls?)[|｜]?>|<\|tool_calls?_section_begin\|>|<\|start\|>(?:assistant)?|<\|channel\|>(?:commentary|analysis)?|(?:^|\n)(?:assistant|commentary|analysis|court|call)(?=\s))+$/;
const longestWrapper = 160;

function beforeWrappers(text: string, at: number): number {
  const from = Math.max(0, at - longestWrapper);
  const before = text.slice(from, at);
  return from + before.replace(wrappers, "").length;
}
