import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { toProviderError } from "@fullstop/core";
import { createCallFinder, edit } from "./edit.ts";
import type { Judge, Verdict } from "./judge.ts";
import type { FinishPart } from "./parts.ts";

interface HoldOptions {
  /** The program asked for the provider's own events. */
  readonly wantsRaw: boolean;
  readonly report: (verdict: Verdict) => void;
  readonly isAborted: () => boolean;
}
type Stream = ReadableStream<LanguageModelV4StreamPart>;

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
  /** It waits for the end of the stream: an error, or another reply, may follow it. */
  finish: FinishPart | undefined;
  isEnded: boolean;
}
type Released = readonly LanguageModelV4StreamPart[];

function end(holder: Holder): Released {
  holder.isEnded = true;
  const { hasCalls, judge, options, finish } = holder;
  const verdict = judge.end();
  options.report(verdict);
  const held = withoutDoubled(holder.held, verdict);
  if (!hasCalls) return finish === undefined ? held : [...held, finish];
  const { parts, note, finishReason } = edit(verdict.turn, held, finish?.finishReason ?? cut);
  const noted = note === undefined ? [] : textParts("fullstop-note", note);
  return [...parts, ...noted, { type: "finish", usage: noUsage, ...finish, finishReason }];
}

/** A call that AI SDK's provider gives twice has a second id, and so have the parts of its input. */
function withoutDoubled(
  held: readonly LanguageModelV4StreamPart[],
  { doubled }: Verdict,
): readonly LanguageModelV4StreamPart[] {
  const ids = new Set([...doubled].map(({ toolCallId }) => toolCallId));
  return held.filter((part) => {
    if (part.type === "tool-call") return !ids.has(part.toolCallId);
    return !part.type.startsWith("tool-input-") || !("id" in part) || !ids.has(part.id);
  });
}

function take(holder: Holder, part: LanguageModelV4StreamPart): Released {
  if (part.type === "raw") {
    if (!holder.isEnded) holder.judge.pushNative(part.rawValue);
    return holder.options.wantsRaw ? [part] : [];
  }
  const isCall = holder.isCall(part);
  // Some hosts end a reply twice, or send another one behind it. AI SDK runs the calls at each end.
  const isOver = holder.isEnded || holder.finish !== undefined;
  if (isOver && (isCall || part.type === "finish")) return [];
  return holder.isEnded ? [part] : takeOpen(holder, part, isCall);
}

function takeOpen(holder: Holder, part: LanguageModelV4StreamPart, isCall: boolean): Released {
  holder.judge.push(part);
  if (part.type === "finish") {
    holder.finish = part;
    return holder.hasCalls ? [] : end(holder);
  }
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

/** A connection that fails behind the end of a reply changes nothing. */
function endBroken(holder: Holder, thrown: unknown): Released | undefined {
  const { isEnded, finish, judge, options } = holder;
  if (finish !== undefined && !isEnded && !options.isAborted()) return end(holder);
  if (!isEnded) {
    holder.isEnded = true;
    judge.fail(toProviderError(thrown));
    options.report(judge.end());
  }
  return undefined;
}

export function hold(stream: Stream, judge: Judge, options: HoldOptions): Stream {
  const isCall = createCallFinder();
  const holder: Holder = {
    judge,
    options,
    isCall,
    held: [],
    hasCalls: false,
    finish: undefined,
    isEnded: false,
  };
  const reader = stream.getReader();
  const next = async (): Promise<Released | undefined> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      const released = take(holder, value);
      if (released.length > 0) return released;
    }
  };
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      async pull(out) {
        const give = (parts: Released): void => {
          for (const part of parts) out.enqueue(part);
        };
        try {
          const released = await next();
          if (released !== undefined) return give(released);
          if (!holder.isEnded) give(end(holder));
        } catch (thrown) {
          const released = endBroken(holder, thrown);
          if (released === undefined) return out.error(thrown);
          give(released);
        }
        out.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
