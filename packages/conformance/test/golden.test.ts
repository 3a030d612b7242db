import Anthropic from "@anthropic-ai/sdk";
import { type GenerateContentResponse, GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { chunks } from "../src/harness/bytes.ts";
import { type Host, inProcess } from "../src/harness/host.ts";
import { parseJson } from "../src/harness/json.ts";
import { goldenFolder, type WireName } from "../src/replay/builtin.ts";
import { type Recording, recordingsIn } from "../src/replay/recording.ts";
import { wires } from "../src/wires/index.ts";

/** What an SDK's own accumulator makes of a reply. */
interface Read {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  readonly stop: string | null | undefined;
}
interface Asking {
  readonly host: Host;
  readonly streams: boolean;
}
type Reader = (asking: Asking) => Promise<Read>;

const key = {
  apiKey: "not-a-key",
  baseURL: "http://provider.test",
  maxRetries: 0,
  logLevel: "off",
} as const;
const openai = ({ endpoint }: Host): OpenAI => new OpenAI({ ...key, fetch: endpoint.fetch });
const content = "Go.";

const readers: Readonly<Record<WireName, Reader>> = {
  anthropic: async ({ host, streams }) => {
    const { messages } = new Anthropic({ ...key, fetch: host.endpoint.fetch });
    const ask = {
      model: "claude-sonnet-5-5",
      max_tokens: 1024,
      messages: [{ role: "user" as const, content }],
    };
    const message = streams
      ? await messages.stream(ask).finalMessage()
      : await messages.create(ask);
    return {
      text: message.content.map((block) => (block.type === "text" ? block.text : "")).join(""),
      calls: message.content
        .filter((block) => block.type === "tool_use")
        .map(({ name, input }) => ({ name, input })),
      stop: message.stop_reason,
    };
  },
  "openai-chat": async ({ host, streams }) => {
    const { completions } = openai(host).chat;
    const ask = { model: "gpt-5.2", messages: [{ role: "user" as const, content }] };
    const { choices } = streams
      ? await completions.stream(ask).finalChatCompletion()
      : await completions.create(ask);
    const [choice] = choices;
    return {
      text: choice?.message.content ?? choice?.message.refusal ?? "",
      calls: (choice?.message.tool_calls ?? []).map((call) =>
        call.type === "custom"
          ? { name: call.custom.name, input: { text: call.custom.input } }
          : { name: call.function.name, input: parseJson(call.function.arguments) },
      ),
      stop: choice?.finish_reason,
    };
  },
  "openai-responses": async ({ host, streams }) => {
    const { responses } = openai(host);
    const ask = { model: "gpt-5.5", input: content };
    const { output, status } = streams
      ? await responses.stream(ask).finalResponse()
      : await responses.create(ask);
    return {
      text: output
        .flatMap((item) => (item.type === "message" ? item.content : []))
        .map((part) => (part.type === "refusal" ? part.refusal : part.text))
        .join(""),
      calls: output.flatMap((item) => {
        if (item.type === "function_call")
          return [{ name: item.name, input: parseJson(item.arguments) }];
        return item.type === "custom_tool_call"
          ? [{ name: item.name, input: { text: item.input } }]
          : [];
      }),
      stop: status,
    };
  },
  gemini: async ({ host, streams }) => {
    const fetch = host.endpoint.fetch ?? globalThis.fetch;
    const { models } = new GoogleGenAI({
      apiKey: "not-a-key",
      vertexai: false,
      httpOptions: { baseUrl: key.baseURL, fetch },
    });
    const ask = {
      model: "gemini-3.1-pro",
      contents: content,
      config: { automaticContinuation: false },
    };
    const all: GenerateContentResponse[] = [];
    if (streams) for await (const one of await models.generateContentStream(ask)) all.push(one);
    else all.push(await models.generateContent(ask));
    const parts = all.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
    return {
      text: parts.map(({ text, thought }) => (thought ? "" : (text ?? ""))).join(""),
      calls: parts.flatMap(({ functionCall }) =>
        functionCall ? [{ name: functionCall.name ?? "", input: functionCall.args }] : [],
      ),
      stop:
        all.at(-1)?.candidates?.[0]?.finishReason ??
        (all.at(-1)?.promptFeedback?.blockReason && "blocked"),
    };
  },
};

/** The SDKs mend inputs that were cut, or keep them as text. */
const isCut = ({ expected }: Recording): boolean => (expected?.withheld ?? []).length > 0;

for (const name of Object.keys(wires) as WireName[]) {
  const recordings = await recordingsIn(goldenFolder(wires[name]) ?? "");
  describe(`the golden replies of ${name}`, () => {
    test("are at least six, each with its turn", () => {
      expect(new Set(recordings.map(({ turnPath }) => turnPath)).size).toBeGreaterThanOrEqual(6);
      expect(recordings.filter(({ expected }) => expected === undefined)).toEqual([]);
    });

    test.for(recordings)("are what the vendor's SDK reads too: $file", async (recording) => {
      const host = inProcess();
      host.answer({ chunks: chunks(recording.bytes, 64), headers: recording.headers });
      const reading = readers[name]({ host, streams: recording.events !== undefined });
      const { expected } = recording;
      if (expected?.error !== undefined && expected.native === undefined)
        return expect(reading).rejects.toThrow(Error);
      const { text, calls, stop } = await reading;
      expect({ text, stop }).toEqual({
        text: expected?.text ?? text,
        stop: expected?.native?.stop,
      });
      if (expected?.error !== undefined) return;
      if (!isCut(recording))
        expect(calls).toEqual(
          (expected?.calls ?? []).map(({ name: tool, input }) => ({ name: tool, input })),
        );
      else
        expect(calls.map(({ name: tool }) => tool)).toEqual(
          expected?.withheld?.map(({ name: tool }) => tool),
        );
    });
  });
}
