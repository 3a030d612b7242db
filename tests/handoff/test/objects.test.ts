import {
  cap,
  type Received,
  type ReplyCall,
  type ReplyText,
  type Wire,
} from "@fullstop/conformance";
import { type Serving, serve } from "@fullstop/conformance/server";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { interactionsWire } from "@fullstop/conformance/wires/gemini-interactions";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import {
  type Adapter,
  type Endpoint,
  type InputSchema,
  type ObjectReply,
  readObject,
} from "@fullstop/core";
import { outputToolName } from "@fullstop/core/adapter";
import { anthropic } from "@fullstop/provider-anthropic";
import { copilot } from "@fullstop/provider-copilot";
import { google, googleInteractions } from "@fullstop/provider-google";
import { mistral } from "@fullstop/provider-mistral";
import { ollama } from "@fullstop/provider-ollama";
import { openai, openaiChat } from "@fullstop/provider-openai";
import { openaiCompatible } from "@fullstop/provider-openai-compatible";
import { isFull } from "@tooling/test/full";
import { afterAll, expect, test } from "vitest";
// @boundaries-ignore only the tests of this provider have its wire
import { wire as mistralWire } from "../../../packages/provider-mistral/test/wire.ts";
// @boundaries-ignore only the tests of this provider have its wire
import { wire as ollamaWire } from "../../../packages/provider-ollama/test/wire.ts";
import { answerWith } from "./provider.ts";

interface Trip {
  readonly city: string;
  readonly days: number;
}
const trip: Trip = { city: "Zürich", days: 3 };
const json = JSON.stringify(trip);
const shape = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer" } },
  required: ["city", "days"],
};
const isTrip = (value: object): boolean =>
  "city" in value && typeof value.city === "string" && "days" in value && value.days === 3;
const schema: InputSchema<Trip> = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value) =>
      isTrip(value as object) ? { value } : { issues: [{ message: "not a trip" }] },
    jsonSchema: { input: () => shape },
  },
};

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};
const at = (body: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => fieldsOf(value)[key], body);

interface Subject {
  readonly wire: Wire;
  readonly adapter: (endpoint: Endpoint) => Adapter;
  /** Where the schema of the object is in a request body. Absent: in a tool that is forced. */
  readonly schemaAt?: readonly string[];
}
const chatFormat = ["response_format", "json_schema", "schema"];
const messagesFormat = ["output_config", "format", "schema"];
const apiKey = "key";
const onCopilot =
  (model: string, options: object = {}) =>
  ({ baseURL }: Endpoint): Adapter =>
    copilot(model, { token: async () => ({ token: apiKey }), baseURL, ...options });

const subjects: Readonly<Record<string, Subject>> = {
  anthropic: {
    wire: anthropicWire,
    adapter: (endpoint) => anthropic("claude-sonnet-5-5", { apiKey, ...endpoint }),
    schemaAt: messagesFormat,
  },
  "anthropic, a model without the format": {
    wire: anthropicWire,
    adapter: (endpoint) => anthropic("claude-opus-4-1", { apiKey, ...endpoint }),
  },
  openai: {
    wire: openaiResponsesWire,
    adapter: (endpoint) => openai("gpt-5.5", { apiKey, ...endpoint }),
    schemaAt: ["text", "format", "schema"],
  },
  "openai, with the option `never`": {
    wire: openaiResponsesWire,
    adapter: (endpoint) => openai("gpt-5.5", { apiKey, outputFormat: "never", ...endpoint }),
  },
  "openai-chat": {
    wire: openaiChatWire,
    adapter: (endpoint) => openaiChat("gpt-5.2", { apiKey, ...endpoint }),
    schemaAt: chatFormat,
  },
  google: {
    wire: geminiWire,
    adapter: (endpoint) => google("gemini-3.1-pro", { apiKey, ...endpoint }),
    schemaAt: ["generationConfig", "responseJsonSchema"],
  },
  "google, Gemini 2.5": {
    wire: geminiWire,
    adapter: (endpoint) => google("gemini-2.5-flash", { apiKey, ...endpoint }),
    schemaAt: ["generationConfig", "responseJsonSchema"],
  },
  "google, over Interactions": {
    wire: interactionsWire,
    adapter: (endpoint) => googleInteractions("gemini-3.8-flash", { apiKey, ...endpoint }),
    schemaAt: ["response_format", "schema"],
  },
  mistral: {
    wire: mistralWire,
    adapter: (endpoint) => mistral("mistral-large-latest", { apiKey, ...endpoint }),
    schemaAt: chatFormat,
  },
  ollama: {
    wire: ollamaWire,
    adapter: (endpoint) => ollama("qwen3", endpoint),
    schemaAt: ["format"],
  },
  vllm: {
    wire: openaiChatWire,
    adapter: (endpoint) => openaiCompatible("vllm", "qwen3", { ...endpoint }),
    schemaAt: chatFormat,
  },
  groq: {
    wire: openaiChatWire,
    adapter: (endpoint) => openaiCompatible("groq", "qwen3", { apiKey, ...endpoint }),
  },
  "a host of your own": {
    wire: openaiChatWire,
    adapter: (endpoint) =>
      openaiCompatible({ name: "mine", outputFormat: "always" }, "m", { apiKey, ...endpoint }),
    schemaAt: chatFormat,
  },
  "copilot, chat": { wire: openaiChatWire, adapter: onCopilot("gpt-4.1") },
  "copilot, responses": { wire: openaiResponsesWire, adapter: onCopilot("gpt-5.5") },
  "copilot, messages": { wire: anthropicWire, adapter: onCopilot("claude-sonnet-5") },
  "copilot, messages with the format": {
    wire: anthropicWire,
    adapter: onCopilot("claude-sonnet-5", { outputFormat: "always" }),
    schemaAt: messagesFormat,
  },
};

interface Played {
  readonly text: string;
  /** The shared stop reason that the host reports. */
  readonly stop: "stop" | "length" | "refusal" | "content-filter";
  readonly output?: number;
}

const servers: Serving[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** What one reply of a server on a socket is, and the request that the server got. */
async function ask(
  { wire, adapter, schemaAt }: Subject,
  ...replies: readonly Played[]
): Promise<{ readonly read: readonly ObjectReply<Trip>[]; readonly sent: Received | undefined }> {
  const server = await serve((_, count) => {
    const { text, stop, output = 12 } = replies[count] ?? { text: "", stop: "stop" };
    const call = {
      name: outputToolName,
      id: "abcdefg00",
      input: trip,
      ...(text !== json && { inputText: text }),
    };
    const isCall = schemaAt === undefined && text.startsWith("{");
    const block: ReplyText | ReplyCall = isCall ? call : { text };
    const native = wire.nativeStops[isCall && stop === "stop" ? "tool-use" : stop];
    if (native === undefined) throw new Error(`This wire has no stop reason for ${stop}.`);
    return answerWith(
      wire.frames({ blocks: [block], stop: native, output }),
      { kind: "none" },
      wire,
    );
  });
  servers.push(server);
  const read: ObjectReply<Trip>[] = [];
  for (const _ of replies)
    read.push(
      await readObject(
        adapter({ baseURL: server.url }),
        { messages: [{ role: "user", content: "Plan a trip." }], maxTokens: cap },
        schema,
      ),
    );
  return { read, sent: server.requests[0] };
}

const each = Object.entries(subjects).map(([name, subject]) => ({ name, subject }));
const statusOf = ({ status }: ObjectReply<Trip>): string => status;

test.for(each)(
  "$name: a whole object is given out, and the vendor accepts the request",
  async ({ subject }) => {
    const { read, sent } = await ask(subject, { text: json, stop: "stop" });
    expect(read).toMatchObject([{ status: "done", value: trip }]);
    const body: unknown = JSON.parse(sent?.body ?? "{}");
    expect(subject.wire.violations(body, { path: sent?.path ?? "" })).toEqual([]);
    if (subject.schemaAt === undefined) expect(sent?.body).toContain(`"${outputToolName}"`);
    else {
      expect(at(body, ...subject.schemaAt)).toMatchObject(shape);
      expect(body).not.toHaveProperty("tools");
    }
  },
);

test.for(each)(
  "$name: an object that is cut at any character is not given out",
  async ({ subject }) => {
    const cuts = Array.from({ length: json.length }, (_, end) => json.slice(0, end)).filter(
      (_, at) => isFull || at % 5 === 1,
    );
    const { read } = await ask(
      subject,
      ...cuts.map((text) => ({ text, stop: "length", output: cap }) as const),
    );
    expect(read.map(statusOf)).toEqual(cuts.map(() => "unfinished"));
  },
);

test.for(each)(
  "$name: a whole object whose usage reached the cap is not given out",
  async ({ subject }) => {
    const { read } = await ask(subject, { text: json, stop: "stop", output: cap });
    expect(read.map(statusOf)).toEqual(["unfinished"]);
  },
);

test.for(each)(
  "$name: a refusal is unfinished, and prose is not the object",
  async ({ subject }) => {
    const prose = { text: "I cannot plan that.", stop: "stop" } as const;
    const refusals = (["refusal", "content-filter"] as const)
      .filter((stop) => subject.wire.nativeStops[stop] !== undefined)
      .map((stop) => ({ ...prose, stop }));
    const { read } = await ask(subject, prose, ...refusals);
    expect(read.map(statusOf)).toEqual(["invalid", ...refusals.map(() => "unfinished")]);
  },
);
