import { jsonrepair } from "jsonrepair";
import type { RecordedTurn } from "../recording.ts";
import type { EventOf, InputDraft, OpenReply, ReplyDraft } from "./drafts.ts";
import type { RepairView } from "./view.ts";

/** An input begins, or what is known of it comes later: the first id and name count. */
export function startInput(reply: OpenReply, event: EventOf<"tool-input-start">): void {
  const { key, id, name, kind, echo, at } = event;
  const known = reply.inputs.get(key);
  if (known === undefined) {
    const draft: InputDraft = {
      key: String(key),
      ...(id !== undefined && { id }),
      ...(name !== undefined && { name }),
      ...(kind && { kind }),
      ...(echo && { isEcho: echo }),
      text: "",
      bytes: 0,
      startedAt: at,
      verdict: "arriving",
    };
    reply.draft.inputs.push(draft);
    reply.inputs.set(key, draft);
    return;
  }
  known.id ??= id;
  known.name ??= name;
}

export function addToInput(reply: OpenReply, { key, text }: EventOf<"tool-input-delta">): void {
  const input = reply.inputs.get(key);
  if (input === undefined) return;
  input.text += text;
  input.bytes += utf8Length(text);
}

/** The protocol says that an input is complete. A text with it replaces the pieces. */
export function closeInput(reply: OpenReply, { key, text, at }: EventOf<"tool-input-end">): void {
  const input = reply.inputs.get(key);
  if (input === undefined) return;
  input.closedAt ??= at;
  input.text = text ?? input.text;
  // A character may lie in two pieces, which counted as two.
  input.bytes = utf8Length(input.text);
}

const encoder = new TextEncoder();
export const utf8Length = (text: string): number => encoder.encode(text).length;

interface Judged {
  readonly id: string;
  readonly name?: string | undefined;
  readonly verdict: "call" | "withheld";
  readonly text: string;
  readonly kind?: "text" | undefined;
  readonly reason?: InputDraft["withheldReason"];
  readonly detail?: string | undefined;
}

export function judgeInputs(reply: ReplyDraft, turn: RecordedTurn, at: number): void {
  const judged = judgedOf(turn);
  const matches = matchInputs(reply.inputs, judged);
  for (const input of reply.inputs) {
    const found = matches.get(input);
    if (found !== undefined) applyVerdict(input, found);
    else input.verdict = turn.calls.length > 0 ? "call" : "withheld";
  }
  const matched = new Set(matches.values());
  // A reply from the journal has no previews.
  for (const one of judged) if (!matched.has(one)) reply.inputs.push(inputFromVerdict(one, at));
}

/** The surest sign first. An echo is the least likely input to be in a verdict. */
const signs: readonly ((input: InputDraft, one: Judged) => boolean)[] = [
  (input, { id }) => id === input.id,
  (input, { name }) => !input.isEcho && name === input.name,
  (input) => !input.isEcho,
  () => true,
];

function matchInputs(
  inputs: readonly InputDraft[],
  judged: readonly Judged[],
): ReadonlyMap<InputDraft, Judged> {
  const left = [...judged];
  const matches = new Map<InputDraft, Judged>();
  for (const fits of signs)
    for (const input of inputs) {
      const index = matches.has(input) ? -1 : left.findIndex((one) => fits(input, one));
      const [found] = index < 0 ? [] : left.splice(index, 1);
      if (found !== undefined) matches.set(input, found);
    }
  return matches;
}

function inputFromVerdict(judged: Judged, at: number): InputDraft {
  const { id, text, verdict } = judged;
  const input: InputDraft = { key: id, text, bytes: utf8Length(text), startedAt: at, verdict };
  applyVerdict(input, judged);
  return input;
}

function judgedOf({ calls, withheld, message }: RecordedTurn): Judged[] {
  const blocks = new Map(
    (message?.content ?? []).flatMap((block) =>
      block.type === "tool-call" ? [[block.id, block] as const] : [],
    ),
  );
  return [
    ...calls.map(({ id, name, input }): Judged => {
      const block = blocks.get(id);
      const text = block?.inputText ?? JSON.stringify(input);
      return { id, name, verdict: "call", text, ...(block?.kind && { kind: block.kind }) };
    }),
    ...withheld.map(
      ({ inputText: text, ...one }): Judged => ({ ...one, text, verdict: "withheld" }),
    ),
  ];
}

function applyVerdict(
  input: InputDraft,
  { id, name, verdict, kind, reason, detail }: Judged,
): void {
  input.id = id;
  input.name ??= name;
  input.verdict = verdict;
  input.kind ??= kind;
  if (verdict === "call") return;
  input.withheldReason = reason;
  if (detail !== undefined) input.detail = detail;
  if (input.kind === undefined) input.repaired = repair(input.text);
}

/** A repair of a longer text takes longer than a page may wait. */
const maxLength = 1024 * 1024;

function repair(text: string): RepairView | undefined {
  if (text.length > maxLength) return undefined;
  try {
    return { text: jsonrepair(text) };
  } catch {
    return {};
  }
}
