import type {
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import type { ReplyReader, Usage } from "@fullstop/core";
import { type Decoder, defineReplyReader, type Emit, fieldsOf } from "@fullstop/core/adapter";
import type { Compared } from "./same-calls.ts";
import { isKnownWord, stops } from "./stops.ts";

export type Part = LanguageModelV4StreamPart | LanguageModelV4Content;

export interface PartFacts {
  readonly provider: string;
  readonly model: string;
  /** The tools that the provider defines. Their inputs may be text. */
  readonly providerTools: ReadonlySet<string>;
  /** The usage is that of several requests, so it cannot be compared with the output cap. */
  readonly isSum: () => boolean;
  /** The provider's own events show that the reply is finished. */
  readonly isProven: () => boolean;
  /**
   * Only a word of the provider can show the end: its events are not known, or it is a provider of
   * Responses, which gives no word for a finished reply and none for some that are not.
   */
  readonly needsWord: () => boolean;
  /** How the calls differ from those of the provider's own events. */
  readonly compared: () => Compared;
}

export const partsReader = (facts: PartFacts): ReplyReader =>
  defineReplyReader<Part>({
    provider: facts.provider,
    protocol: "ai-sdk",
    model: facts.model,
    stops,
    // A provider gives the calls that it has at the end of a stream, also of one that was cut.
    toolInputEnd: "implicit",
    decoder: (emit) => createPartsDecoder(emit, facts),
  });

export type FinishPart = Extract<Part, { type: "finish" }>;

function createPartsDecoder(emit: Emit, facts: PartFacts): Decoder<Part> {
  const calls = createCalls(emit, facts);
  const decode = (part: Part): void => {
    switch (part.type) {
      case "text":
        return emit({ type: "text", text: part.text });
      case "text-delta":
        return emit({ type: "text", text: part.delta });
      case "reasoning":
        return emit({ type: "thinking", text: part.text });
      case "reasoning-delta":
        return emit({ type: "thinking", text: part.delta });
      case "tool-input-start":
        return part.providerExecuted ? undefined : calls.begin(part.id);
      case "tool-input-delta":
        return calls.preview(part.id, part.delta);
      case "tool-call":
        return calls.read(part);
      case "tool-approval-request":
        return calls.readRequest(part.toolCallId);
      case "error": {
        const { error } = part;
        const message = typeof error === "string" ? error : fieldsOf(error)["message"];
        return emit({ type: "error", native: "error", message: String(message ?? "") });
      }
      case "finish": {
        // The gate of the provider's own events has compared it with the cap.
        const isSum = calls.hasProviderCalls() || facts.isSum() || facts.isProven();
        emit({ type: "usage", usage: readUsage(part.usage, isSum) });
        return emitStop(emit, part, facts);
      }
      default:
        return;
    }
  };
  return Object.assign(decode, { settle: calls.assertWhole });
}

function createCalls(emit: Emit, facts: PartFacts) {
  const previews = new Map<string, string>();
  let count = 0;
  const providerCalls = new Map<string, LanguageModelV4ToolCall>();
  const give = (id: string, name: string, text: string, kind?: "text"): void => {
    emit({ type: "tool-input-start", key: count, id, name, kind });
    emit({ type: "tool-input-delta", key: count, text });
    // The provider's own events have shown that it is whole.
    if (facts.isProven()) emit({ type: "tool-input-end", key: count });
    count++;
  };
  return {
    begin: (id: string): void => void previews.set(id, ""),
    preview(id: string, delta: string): void {
      const before = previews.get(id);
      if (before !== undefined) previews.set(id, before + delta);
    },
    read(call: LanguageModelV4ToolCall): void {
      const { toolCallId: id, toolName: name } = call;
      if (call.providerExecuted) {
        providerCalls.set(id, call);
        // A tool of an MCP server: nothing says that it only reads.
        return call.dynamic ? emit({ type: "side-effects" }) : undefined;
      }
      const preview = previews.get(id)?.trim();
      if (!facts.isProven() && call.input === "{}" && preview && !/^\{\s*\}$|^null$/.test(preview))
        throw new Error(`the input of ${name} was replaced by {}`);
      previews.delete(id);
      if (facts.compared().doubled.has(call)) return;
      const { text, kind } = inputOf(call, facts);
      give(id, name, text, kind);
    },
    /** The provider asks whether it may run a call of an MCP server. */
    readRequest(id: string): void {
      const call = providerCalls.get(id);
      if (call === undefined)
        throw new Error("an approval is requested for a call that did not come");
      give(id, call.toolName, call.input);
    },
    hasProviderCalls: (): boolean => providerCalls.size > 0,
    assertWhole(): void {
      if (previews.size > 0) throw new Error("a call began, and its whole input did not come");
      const names = facts.compared().differing;
      if (names.length > 0)
        throw new Error(
          `the provider's own events and the parts of AI SDK have other calls: ${names.join(", ")}. A middleware that changes calls belongs before finishedCalls()`,
        );
    },
  };
}

/** A tool that the provider defines may take text, which AI SDK writes as a JSON string. */
function inputOf(
  { input, toolName }: LanguageModelV4ToolCall,
  { providerTools }: PartFacts,
): { readonly text: string; readonly kind?: "text" } {
  if (!providerTools.has(toolName) || !input.trimStart().startsWith('"')) return { text: input };
  return { text: JSON.parse(input), kind: "text" };
}

/** It is not known whether the cap of the provider counts `reasoning`. */
function readUsage(
  { inputTokens, outputTokens: { total: output, reasoning } }: LanguageModelV4Usage,
  isSum: boolean,
): Partial<Usage> {
  return {
    ...(inputTokens.total !== undefined && { input: inputTokens.total }),
    ...(output !== undefined && { output }),
    ...((isSum || reasoning) && { towardCap: null }),
    ...(!isSum && reasoning && { reasoning }),
  };
}

/**
 * Some call a stream that was cut `tool-calls`, and many a word that they do not know. So the finish
 * reason alone counts only if the provider's events show the end, or if the provider gives no word
 * and a usage.
 */
function emitStop(emit: Emit, { finishReason, usage }: FinishPart, facts: PartFacts): void {
  const { unified, raw = "" } = finishReason;
  const hasWord = raw.trim() !== "";
  const stop = { type: "stop", native: unified, ...(hasWord && { detail: raw }) } as const;
  const isFinished = unified === "stop" || unified === "tool-calls";
  const isOpen = unified === "other" && !hasWord;
  if (!isFinished && !isOpen) return emit(stop);
  if (facts.isProven()) return emit({ ...stop, native: isOpen ? "stop" : unified });
  if (isOpen) return undefined;
  if (isKnownWord(unified, raw)) return emit(stop);
  if (hasWord) return emit({ ...stop, native: "other" });
  return usage.outputTokens.total ? emit(impliedStop(unified, facts)) : undefined;
}

const impliedStop = (native: string, { needsWord }: PartFacts) =>
  needsWord()
    ? ({ type: "stop", native: "other" } as const)
    : ({ type: "stop", native, implied: true } as const);
