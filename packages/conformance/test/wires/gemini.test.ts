import { type FunctionCall, type GenerateContentResponse, GoogleGenAI } from "@google/genai";
import { describe, expect, test } from "vitest";
import { chunks, jsonAnswer, render } from "../../src/harness/bytes.ts";
import { type Host, inProcess } from "../../src/harness/host.ts";
import { allRepliesFor } from "../../src/harness/scenarios.ts";
import { geminiWire as wire } from "../../src/wires/gemini/index.ts";

const ask = { model: "gemini-3.1-pro", contents: "Go.", config: { automaticContinuation: false } };
const replies = allRepliesFor(wire);

const client = (host: Host = inProcess()) => ({
  host,
  models: new GoogleGenAI({
    apiKey: "not-a-key",
    vertexai: false,
    httpOptions: { baseUrl: "http://provider.test", fetch: host.endpoint.fetch ?? fetch },
  }).models,
});

/** The blocks that the SDK read, its text joined. */
function blocks(responses: readonly GenerateContentResponse[]): readonly unknown[] {
  const out: { text?: string }[] = [];
  for (const { functionCall, text } of responses.flatMap(
    ({ candidates }) => candidates?.[0]?.content?.parts ?? [],
  )) {
    const last = out.at(-1);
    if (functionCall) out.push(callOf(functionCall));
    else if (text && last?.text !== undefined) last.text += text;
    else if (text) out.push({ text });
  }
  return out;
}
const callOf = ({ name, id, args }: FunctionCall): object => ({ name, id, input: args });

async function streamed(
  host: Host,
  models: ReturnType<typeof client>["models"],
  bytes: Uint8Array<ArrayBuffer>,
): Promise<GenerateContentResponse[]> {
  host.answer({ chunks: chunks(bytes, 64) });
  const all: GenerateContentResponse[] = [];
  for await (const one of await models.generateContentStream(ask)) all.push(one);
  return all;
}

describe("the official SDK accepts the replies of the wire", () => {
  test.for(replies)("$name, streamed", async ({ reply }) => {
    const { host, models } = client();
    const all = await streamed(host, models, render(wire, wire.frames(reply)).bytes);
    expect(blocks(all)).toEqual(reply.blocks);
    expect(all.at(-1)?.candidates?.[0]?.finishReason).toBe(reply.stop);
    expect(all.at(-1)?.usageMetadata?.candidatesTokenCount).toBe(reply.output);
  });

  test.for(replies)("$name, whole", async ({ reply }) => {
    const { host, models } = client();
    host.answer(jsonAnswer(wire.whole?.(reply) ?? ""));
    const response = await models.generateContent(ask);
    expect(blocks([response])).toEqual(reply.blocks);
    expect(response.candidates?.[0]?.finishReason).toBe(reply.stop);
    expect(response.functionCalls?.length ?? 0).toBe(
      reply.blocks.filter((block) => "name" in block).length,
    );
  });

  test.for(wire.fixtures ?? [])("$name", async ({ frames }) => {
    const { host, models } = client();
    const all = await streamed(
      host,
      models,
      render(wire, { upToTerminal: frames.upToTerminal }).bytes,
    );
    expect(all.length).toBe(frames.upToTerminal.length);
  });

  test("an error inside a reply is the SDK's own error", async () => {
    const { host, models } = client();
    const { bytes } = render(wire, { upToTerminal: [wire.errors?.[0]?.frame ?? ""] });
    await expect(streamed(host, models, bytes)).rejects.toThrow("The model is overloaded");
  });

  test.for(wire.failures ?? [])(
    "status $status is the SDK's own error",
    async ({ status, body }) => {
      const { host, models } = client();
      host.answer(jsonAnswer(body, { status }));
      await expect(models.generateContent(ask)).rejects.toMatchObject({ name: "ApiError", status });
    },
  );
});
