import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4ToolCall,
} from "@ai-sdk/provider";
import {
  createGate,
  type ProviderError,
  type ReplyReader,
  type ToolSpec,
  type Turn,
} from "@fullstop/core";
import { capOf, createNativeReply, type NativeReply, parsedBody } from "./native-reply.ts";
import { type Part, type PartFacts, partsReader } from "./parts.ts";
import { type Compared, compareCalls } from "./same-calls.ts";

/** What a reply was judged by. */
export interface Evidence {
  /**
   * `events`: the provider's own events, and the parts of AI SDK. `parts`: only the parts, because no
   * event came that a reader knows; the last word of the provider then counts, and its usage.
   */
  readonly from: "events" | "parts";
}

export interface Verdict extends Pick<Compared, "doubled"> {
  readonly turn: Turn;
  readonly evidence: Evidence;
}

/** Judges one reply: by its parts, and by the provider's own events where they are known. */
export interface Judge extends Pick<NativeReply, "pushBody" | "join"> {
  push(part: Part): void;
  pushNative(native: unknown): void;
  /** The connection failed. */
  fail(error: ProviderError): void;
  end(): Verdict;
}

export interface AskedModel {
  readonly model: LanguageModelV4;
  readonly params: LanguageModelV4CallOptions;
  /** The request that the provider sent, if it says so. */
  readonly request: { readonly body?: unknown; readonly url?: string } | undefined;
  readonly reader: ReplyReader | undefined;
}

export function createJudge({ model, params, request, reader }: AskedModel): Judge {
  const { abortSignal: signal, tools = [], responseFormat } = params;
  const sent = parsedBody(request?.body);
  const maxTokens = capOf(sent) ?? params.maxOutputTokens;
  const sender = { provider: model.provider, model: model.modelId, url: request?.url };
  const native = createNativeReply({ sender, sent, maxTokens, signal, reader });
  const ofProvider = new Set(tools.flatMap((tool) => (tool.type === "provider" ? tool.name : [])));
  const offered = new Set(tools.map(({ name }) => name));
  const answer = responseFormat?.type === "json" ? "json" : undefined;
  /** They wait, because their like among the provider's own events may come last. */
  const late: Part[] = [];
  let compared: Compared = same;
  const facts: PartFacts = {
    provider: model.provider,
    model: model.modelId,
    providerTools: ofProvider,
    needsWord: () => native.cameRaw || "input" in sent,
    isSum: () => native.isJoined,
    isProven: () => isProven(native.turn()),
    compared: () => compared,
  };
  const parts = createGate(partsReader(facts), { maxTokens, tools: specsOf(tools) }, { signal });
  const verdictOf = (from: Evidence["from"]): Verdict => {
    for (const part of late) parts.push(part);
    return { turn: parts.end(), evidence: { from }, doubled: compared.doubled };
  };
  return {
    push: (part) => (isLate(part) ? late.push(part) : parts.push(part)),
    pushNative: native.push,
    pushBody: native.pushBody,
    join: native.join,
    fail(error) {
      native.fail(error);
      parts.fail(error);
    },
    end() {
      const seen = native.turn();
      if (seen === undefined) return verdictOf("parts");
      if (!isProven(seen))
        return { turn: seen, evidence: { from: "events" }, doubled: same.doubled };
      compared = compareCalls(seen, late.filter(isOwnCall), { offered, ofProvider, answer });
      return verdictOf("events");
    },
  };
}

const same: Compared = { doubled: new Set(), differing: [] };

const specsOf = (tools: NonNullable<LanguageModelV4CallOptions["tools"]>): ToolSpec[] =>
  tools.flatMap((tool) => {
    if (tool.type !== "function") return [];
    const { name, description = "", inputSchema } = tool;
    return [{ name, description, inputSchema: { ...inputSchema } }];
  });

const isLate = ({ type }: Part): boolean =>
  type === "tool-call" || type === "tool-approval-request" || type === "finish";
const isOwnCall = (part: Part): part is LanguageModelV4ToolCall =>
  part.type === "tool-call" && part.providerExecuted !== true;

/** The gate does not judge calls that only the provider's client knows. */
const isProven = (turn: Turn | undefined): boolean =>
  turn?.stopReason === "tool-use" || (turn?.stopReason === "stop" && turn.withheld.length === 0);
