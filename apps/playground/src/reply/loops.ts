import type { Preview, Turn } from "@fullstop/core";
import { jsonrepair } from "jsonrepair";
import { type ProtocolName, protocols } from "./protocols.ts";
import type { Judged } from "./read-reply.ts";

/** The gate, and the three small loops beside it. */
export type LoopName = "gate" | "at-once" | "repairs" | "stop-reason";

/** A call that a loop would run. */
export interface RunCall {
  readonly name: string;
  /** As JSON. */
  readonly input: string;
  /** What arrived of it, if that differs from `input`. */
  readonly arrived?: string;
}

/** The input of a tool, as it arrived. */
export interface ArrivedInput {
  readonly name: string | undefined;
  readonly text: string;
  /** A free-form input: text, not JSON. */
  readonly isText: boolean;
  /** The protocol said that it is complete. */
  readonly isClosed: boolean;
  /** Its text when it was a complete JSON object for the first time. */
  readonly firstWhole: string | undefined;
}

/** The inputs of a reply, put together as a client does. An echo of another input is left out. */
export function inputsOf(previews: readonly Preview[]): readonly ArrivedInput[] {
  const inputs = new Map<string | number, ArrivedInput>();
  for (const preview of previews) {
    if (preview.type === "text" || preview.type === "thinking") continue;
    const known = inputs.get(preview.key);
    if (preview.type === "tool-input-start") {
      if (preview.echo) continue;
      inputs.set(preview.key, {
        text: "",
        isText: preview.kind === "text",
        isClosed: false,
        firstWhole: undefined,
        ...known,
        name: known?.name ?? preview.name,
      });
    } else if (known !== undefined) inputs.set(preview.key, extend(known, preview));
  }
  return [...inputs.values()];
}

function extend(
  input: ArrivedInput,
  preview: Extract<Preview, { type: "tool-input-delta" | "tool-input-end" }>,
): ArrivedInput {
  const isClosed = preview.type === "tool-input-end";
  const text = isClosed ? (preview.text ?? input.text) : input.text + preview.text;
  const firstWhole = input.firstWhole ?? (isObjectText(text) ? text : undefined);
  return { ...input, text, firstWhole, isClosed: input.isClosed || isClosed };
}

function isObjectText(text: string): boolean {
  if (!/\}\s*$/.test(text)) return false;
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

/** What a loop makes of one input. Undefined: it does not run it. */
type Read = (input: ArrivedInput) => string | undefined;

const asText = (text: string): string => JSON.stringify({ text });

const whenWhole: Read = ({ firstWhole, isText, isClosed, text }) =>
  isText && isClosed ? asText(text) : firstWhole;

const repaired: Read = ({ text, isText }) => {
  if (isText) return asText(text);
  if (text.trim() === "") return "{}";
  try {
    const json = jsonrepair(text);
    return typeof JSON.parse(json) === "object" ? json : undefined;
  } catch {
    return undefined;
  }
};

const parsed: Read = ({ text, isText }) => {
  if (isText) return asText(text);
  if (text.trim() === "") return "{}";
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
};

const runAll = (inputs: readonly ArrivedInput[], read: Read): readonly RunCall[] =>
  inputs.flatMap((input) => {
    const json = input.name === undefined ? undefined : read(input);
    if (input.name === undefined || json === undefined) return [];
    const isSame = json === input.text;
    return [{ name: input.name, input: json, ...(!isSame && { arrived: input.text }) }];
  });

/** Whether the native stop reason is the one of a finished reply. */
function claimsFinished({ native }: Turn, protocol: ProtocolName): boolean {
  if (native === undefined) return false;
  const { stops } = protocols[protocol].reader;
  const claimed = Object.hasOwn(stops, native.stop) ? stops[native.stop] : undefined;
  return claimed === "tool-use" || claimed === "stop";
}

/** The calls that each of the four would run. */
export function callsOf(
  { turn, previews }: Judged,
  protocol: ProtocolName,
): Readonly<Record<LoopName, readonly RunCall[]>> {
  const inputs = inputsOf(previews);
  return {
    gate: turn.calls.map(({ name, input }) => ({ name, input: JSON.stringify(input) })),
    "at-once": runAll(inputs, whenWhole),
    repairs: runAll(inputs, repaired),
    "stop-reason": claimsFinished(turn, protocol) ? runAll(inputs, parsed) : [],
  };
}

interface LoopText {
  readonly label: string;
  /** What it does, in a sentence. */
  readonly rule: string;
}

export const loopTexts: Readonly<Record<LoopName, LoopText>> = {
  gate: { label: "The gate", rule: "Runs all calls of a finished reply, or none." },
  "at-once": {
    label: "Runs calls at once",
    rule: "Runs a call when its input is complete JSON, before the reply ends.",
  },
  repairs: {
    label: "Repairs JSON",
    rule: "Waits for the end of the stream, closes cut inputs, and runs them.",
  },
  "stop-reason": {
    label: "Looks only at the stop reason",
    rule: "Runs the calls if the provider's stop reason is one of a finished reply.",
  },
};
export const loopNames = Object.keys(loopTexts) as readonly LoopName[];
