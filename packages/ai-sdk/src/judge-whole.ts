import { APICallError, type LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import { toProviderError } from "@fullstop/core";
import { type AskedModel, createJudge, type Verdict } from "./judge.ts";
import { parsedBody } from "./native-reply.ts";

type Asked = Omit<AskedModel, "request">;

export function judgeWhole(asked: Asked, result: LanguageModelV4GenerateResult): Verdict {
  const { content, finishReason, usage, request, response, providerMetadata = {} } = result;
  const judge = createJudge({ ...asked, request });
  judge.pushBody(response?.body);
  if (Object.values(providerMetadata).some(isJoined)) judge.join();
  for (const part of content) judge.push(part);
  judge.push({ type: "finish", finishReason, usage });
  return judge.end();
}

/** Google's provider gives the body of the last reply that it joined. */
const isJoined = (metadata: object): boolean => "initialPromptTokenCount" in metadata;

/** Tells that a reply began, and could not be read to its end. */
export async function readWhole(
  read: () => PromiseLike<LanguageModelV4GenerateResult>,
  onBroken: (thrown: unknown) => void,
): Promise<LanguageModelV4GenerateResult> {
  try {
    return await read();
  } catch (thrown) {
    if (APICallError.isInstance(thrown) && Math.floor((thrown.statusCode ?? 0) / 100) === 2)
      onBroken(thrown);
    throw thrown;
  }
}

export function judgeBroken(asked: Asked, thrown: unknown): Verdict {
  const judge = createJudge({ ...asked, request: undefined });
  if (APICallError.isInstance(thrown)) judge.pushBody(parsedBody(thrown.responseBody));
  judge.fail(toProviderError(thrown));
  return judge.end();
}
