import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Turn } from "@fullstop/core";
import { createCallFinder, edit } from "./edit.ts";
import type { Judge } from "./judge.ts";

interface HoldOptions {
  /** The program asked for the provider's own events. */
  readonly wantsRaw: boolean;
  readonly report: (turn: Turn) => void;
}
type Stream = TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>;
type FinishPart = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

const noUsage: FinishPart["usage"] = {
  inputTokens: {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
  },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
const cut: LanguageModelV4FinishReason = { unified: "interrupted", raw: undefined };

export const textParts = (id: string, delta: string): readonly LanguageModelV4StreamPart[] => [
  { type: "text-start", id },
  { type: "text-delta", id, delta },
  { type: "text-end", id },
];

interface Holder {
  readonly judge: Judge;
  readonly options: HoldOptions;
  readonly isCall: (part: LanguageModelV4StreamPart) => boolean;
  held: LanguageModelV4StreamPart[];
  hasCalls: boolean;
  isEnded: boolean;
}
type Released = readonly LanguageModelV4StreamPart[];

function end(holder: Holder, finish?: FinishPart): Released {
  holder.isEnded = true;
  const { held, hasCalls, judge, options } = holder;
  const turn = judge.end();
  options.report(turn);
  if (!hasCalls) return finish === undefined ? held : [...held, finish];
  const { parts, note, finishReason } = edit(turn, held, finish?.finishReason ?? cut);
  const noted = note === undefined ? [] : textParts("fullstop-note", note);
  return [...parts, ...noted, { type: "finish", usage: noUsage, ...finish, finishReason }];
}

function take(holder: Holder, part: LanguageModelV4StreamPart): Released {
  const { judge, isEnded } = holder;
  if (part.type === "raw") {
    if (!isEnded) judge.pushNative(part.rawValue);
    return holder.options.wantsRaw ? [part] : [];
  }
  const isCall = holder.isCall(part);
  // Some hosts end a reply twice, or send another one behind it. AI SDK runs the calls at each end.
  if (isEnded) return isCall || part.type === "finish" ? [] : [part];
  judge.push(part);
  if (part.type === "finish") return end(holder, part);
  holder.hasCalls ||= isCall;
  return part.type === "ping" ? [part] : release(holder, part);
}

function release(holder: Holder, part: LanguageModelV4StreamPart): Released {
  const { held, hasCalls } = holder;
  // The end of reasoning waits, because it loses its data if its call is withheld. A call of an MCP
  // server waits, because the provider may ask for approval next.
  if (hasCalls || part.type === "reasoning-end" || (part.type === "tool-call" && part.dynamic)) {
    held.push(part);
    // A program that limits the silence between two parts sees that the reply goes on.
    return [{ type: "ping" }];
  }
  if (part.type === "reasoning-start" || part.type === "reasoning-delta") return [part];
  holder.held = [];
  return [...held, part];
}

export function hold(judge: Judge, options: HoldOptions): Stream {
  const isCall = createCallFinder();
  const holder: Holder = { judge, options, isCall, held: [], hasCalls: false, isEnded: false };
  return new TransformStream({
    transform(part, out) {
      for (const released of take(holder, part)) out.enqueue(released);
    },
    flush(out) {
      if (!holder.isEnded) for (const released of end(holder)) out.enqueue(released);
    },
  });
}
