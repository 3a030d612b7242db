import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { createGate, type Gate, type ReplyReader, type ToolSpec, type Turn } from "@fullstop/core";
import { type Fields, fieldsOf, tryParseJson } from "@fullstop/core/adapter";
import { nativeReader } from "./native-readers.ts";
import { type Part, partsReader } from "./parts.ts";

/** Judges one reply: by its parts, and by the provider's own events where they are known. */
export interface Judge {
  push(part: Part): void;
  pushNative(native: unknown): void;
  end(): Turn;
}

export interface AskedModel {
  readonly model: LanguageModelV4;
  readonly params: LanguageModelV4CallOptions;
  /** The body that the provider sent, if it says so. */
  readonly body: unknown;
  readonly reader: ReplyReader | undefined;
}

export function createJudge({ model, params, body, reader }: AskedModel): Judge {
  const { abortSignal: signal, tools = [] } = params;
  const sent = parsedBody(body);
  const maxTokens = capOf(sent) ?? params.maxOutputTokens;
  const functions = tools.filter((tool) => tool.type === "function");
  const providerTools = new Set(
    tools.flatMap((tool) => (tool.type === "provider" ? [tool.name] : [])),
  );
  const native = nativeGate(reader ?? nativeReader(model), { sent, maxTokens, signal });
  let isContinued = false;
  const nativeTurn = (): Turn | undefined =>
    native?.begun && !isContinued ? native.end() : undefined;
  const parts = createGate(
    partsReader({
      provider: model.provider,
      model: model.modelId,
      providerTools,
      isSum: () => isContinued,
      isProven: () => {
        const turn = nativeTurn();
        return turn !== undefined && isFinished(turn);
      },
    }),
    {
      maxTokens,
      tools: functions.map(
        ({ name, description = "", inputSchema }): ToolSpec => ({
          name,
          description,
          inputSchema: { ...inputSchema },
        }),
      ),
    },
    { signal },
  );
  return {
    push: (part) => parts.push(part),
    pushNative(event) {
      isContinued ||= continues(event);
      native?.push(event);
    },
    end() {
      const seen = nativeTurn();
      return seen === undefined || isFinished(seen) ? parts.end() : seen;
    },
  };
}

/** Google's provider joins the replies that continue a long one, and adds up their usage. */
function continues(event: unknown): boolean {
  const { candidates } = fieldsOf(event);
  return Array.isArray(candidates) && fieldsOf(candidates[0])["finishReason"] === "CONTINUATION";
}

/** The gate does not judge calls that only the provider's client knows. */
const isFinished = ({ stopReason, withheld }: Turn): boolean =>
  stopReason === "tool-use" || (stopReason === "stop" && withheld.length === 0);

interface SentFacts {
  readonly sent: Fields;
  readonly maxTokens: number | undefined;
  readonly signal: AbortSignal | undefined;
}
function nativeGate(
  reader: ReplyReader | undefined,
  { sent, maxTokens, signal }: SentFacts,
): Gate | undefined {
  if (reader === undefined) return undefined;
  // A request without a cap is the provider's to refuse.
  const { capRequired: _, ...spec } = reader;
  const { tools } = spec.readSent?.(sent) ?? {};
  return createGate(spec, { tools, maxTokens }, { signal });
}

/** Some providers give the text of the body. */
const parsedBody = (body: unknown): Fields =>
  fieldsOf(typeof body === "string" ? tryParseJson(body) : body);

/** Where the protocols of the providers have the output cap. */
const capNames = [
  "max_tokens",
  "max_completion_tokens",
  "max_output_tokens",
  "maxOutputTokens",
  "maxTokens",
  "num_predict",
] as const;

/** It may differ from `maxOutputTokens`: Anthropic's provider adds the budget for thinking. */
function capOf(sent: Fields): number | undefined {
  const places = [
    sent,
    ...["generationConfig", "inferenceConfig", "options"].map((name) => fieldsOf(sent[name])),
  ];
  const caps = places.flatMap((place) => capNames.map((name) => place[name]));
  return caps.find((cap): cap is number => Number.isInteger(cap) && Number(cap) > 0);
}
