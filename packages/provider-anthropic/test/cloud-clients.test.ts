import { AnthropicAws } from "@anthropic-ai/aws-sdk";
import { AnthropicBedrock, AnthropicBedrockMantle } from "@anthropic-ai/bedrock-sdk";
import { AnthropicFoundry } from "@anthropic-ai/foundry-sdk";
import Anthropic from "@anthropic-ai/sdk";
import { AnthropicVertex } from "@anthropic-ai/vertex-sdk";
import { type Answer, type Received, type Serving, serve } from "@fullstop/conformance/server";
import { type ProviderError, readTurn, type Turn } from "@fullstop/core";
import { type AnthropicClient, anthropic } from "@fullstop/provider-anthropic";
import { EventStreamCodec } from "@smithy/core/event-streams";
import { isFull } from "@tooling/test/full";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  bytes,
  type Event,
  messageDelta,
  messageStart,
  messageStop,
  text,
  tool,
} from "./events.ts";

const model = "claude-sonnet-5-5";
const encoder = new TextEncoder();
const codec = new EventStreamCodec(
  (input) => (typeof input === "string" ? input : new TextDecoder().decode(input)),
  (input) => encoder.encode(input),
);
const header = (value: string) => ({ type: "string" as const, value });

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_PayloadPart.html */
const chunkFrame = (event: Event): Uint8Array =>
  codec.encode({
    headers: {
      ":message-type": header("event"),
      ":event-type": header("chunk"),
      ":content-type": header("application/json"),
    },
    body: encoder.encode(
      JSON.stringify({ bytes: Buffer.from(JSON.stringify(event)).toString("base64") }),
    ),
  });
const exceptionFrame = (type: string, message: string): Uint8Array =>
  codec.encode({
    headers: {
      ":message-type": header("exception"),
      ":exception-type": header(type),
      ":content-type": header("application/json"),
    },
    body: encoder.encode(JSON.stringify({ message })),
  });

interface Cloud {
  readonly client: (baseURL: string) => AnthropicClient;
  readonly path: string;
  /** Matches the header `authorization`, or that of the key. */
  readonly credentials: RegExp;
  readonly toBytes: (events: readonly Event[]) => Uint8Array;
  readonly contentType: string;
}

const sse = {
  toBytes: (events: readonly Event[]) => encoder.encode(bytes(events)),
  contentType: "text/event-stream; charset=utf-8",
};
const aws = { awsRegion: "eu-central-1", awsAccessKey: "AKIAEXAMPLE" } as const;

/** The clients of the vendor for each cloud, as their users make them. */
const clouds: Readonly<Record<string, Cloud>> = {
  "Google Cloud": {
    client: (baseURL) =>
      new AnthropicVertex({
        baseURL,
        region: "europe-west1",
        projectId: "p",
        authClient: {
          getRequestHeaders: async () => new Headers({ authorization: "Bearer mine" }),
        } as never,
      }),
    path: `/projects/p/locations/europe-west1/publishers/anthropic/models/${model}:streamRawPredict`,
    credentials: /^Bearer mine$/,
    ...sse,
  },
  "Microsoft Foundry": {
    client: (baseURL) => new AnthropicFoundry({ baseURL, apiKey: "mine" }),
    path: "/v1/messages",
    credentials: /^mine$/,
    ...sse,
  },
  "Claude Platform on AWS": {
    client: (baseURL) =>
      new AnthropicAws({ ...aws, baseURL, awsSecretAccessKey: "s", workspaceId: "w" }),
    path: "/v1/messages",
    credentials: /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\//,
    ...sse,
  },
  "Bedrock, Messages": {
    client: (baseURL) => new AnthropicBedrockMantle({ ...aws, baseURL, awsSecretAccessKey: "s" }),
    path: "/v1/messages",
    credentials: /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\//,
    ...sse,
  },
  "Bedrock, InvokeModel": {
    client: (baseURL) => new AnthropicBedrock({ ...aws, baseURL, awsSecretKey: "s" }),
    path: `/model/${model}/invoke-with-response-stream`,
    credentials: /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\//,
    toBytes: (events) => Buffer.concat(events.map(chunkFrame)),
    contentType: "application/vnd.amazon.eventstream",
  },
  /** https://openrouter.ai/docs/guides/coding-agents/claude-code-integration */
  OpenRouter: {
    client: (baseURL) =>
      new Anthropic({ baseURL: `${baseURL}/api`, authToken: "mine", apiKey: null }),
    path: "/api/v1/messages",
    credentials: /^Bearer mine$/,
    ...sse,
  },
};

let answer: Answer = { chunks: [] };
let requestCount = 0;
let serving: Serving;
beforeAll(async () => {
  serving = await serve(() => {
    requestCount++;
    return answer;
  });
});
afterAll(() => serving.close());

const reply = (input: string, stop: string, output = 20): readonly Event[] => [
  messageStart,
  ...text(0, "Reading", " it."),
  ...tool(1, "read", input),
  messageDelta(stop, { usage: { output_tokens: output } }),
  messageStop,
];
const called = reply('{"path":"a"}', "tool_use");

async function ask(cloud: Cloud, next: Answer): Promise<readonly [Turn, Received | undefined]> {
  answer = next;
  const turn = await readTurn(anthropic(model, { client: cloud.client(serving.url) }), {
    messages: [{ role: "user", content: "Go." }],
    maxTokens: 1000,
  });
  return [turn, serving.requests.at(-1)];
}
const stream = ({ contentType }: Cloud, body: Uint8Array, fault?: "reset"): Answer => ({
  headers: { "content-type": contentType },
  chunks: [new Uint8Array(body)],
  fault,
});
const errorOf = (turn: Turn): ProviderError | undefined =>
  "error" in turn ? turn.error : undefined;

describe.each(Object.entries(clouds))("%s", (_, cloud) => {
  const whole = cloud.toBytes(called);

  test("a finished call runs, and the client keeps its path and credentials", async () => {
    const [turn, request] = await ask(cloud, stream(cloud, whole));
    expect(turn.calls.map(({ name, input }) => [name, input])).toEqual([["read", { path: "a" }]]);
    expect(turn.text).toBe("Reading it.");
    expect(request?.path).toBe(cloud.path);
    const { authorization, "api-key": key, "x-api-key": otherKey } = request?.headers ?? {};
    expect(authorization ?? key ?? otherKey).toMatch(cloud.credentials);
  });

  test("a reply that is cut at any event, or inside of one, gives out no call", async () => {
    const lengths = called.map((_event, count) => cloud.toBytes(called.slice(0, count)).length);
    const cuts = lengths.slice(1).flatMap((end) => [end - 7, end, end + 7]);
    const faults = [undefined, "reset"] as const;
    for (const [index, end] of cuts.entries()) {
      // In the sample every other cut is a reset.
      for (const fault of faults.filter((_, at) => isFull || at === index % 2)) {
        const [turn] = await ask(cloud, stream(cloud, whole.slice(0, end), fault));
        expect([end, fault, turn.calls.length, turn.stopReason]).toEqual([
          end,
          fault,
          0,
          "interrupted",
        ]);
      }
    }
  });

  test("a call that the output cap cut is withheld", async () => {
    const cut = reply('{"path":"a', "max_tokens", 1000);
    const [turn] = await ask(cloud, stream(cloud, cloud.toBytes(cut)));
    expect([turn.stopReason, turn.withheld[0]?.inputText]).toEqual(["length", '{"path":"a']);
  });

  test("a failed status is one request, and its kind is known", async () => {
    const before = requestCount;
    const [turn] = await ask(cloud, {
      status: 429,
      headers: { "content-type": "application/json" },
      chunks: [new TextEncoder().encode('{"message":"Too many requests"}')],
    });
    expect([turn.stopReason, errorOf(turn)?.kind]).toEqual(["error", "rate-limit"]);
    expect(requestCount - before).toBe(1);
  });
});

test("an exception inside a stream of Bedrock has its kind, and no call runs", async () => {
  const cloud = clouds["Bedrock, InvokeModel"] as Cloud;
  const kinds = {
    throttlingException: "rate-limit",
    modelStreamErrorException: "server",
    modelTimeoutException: "timeout",
    validationException: "invalid-request",
  };
  for (const [type, kind] of Object.entries(kinds)) {
    const frames = [...called.slice(0, -2).map(chunkFrame), exceptionFrame(type, "Later.")];
    const [turn] = await ask(cloud, stream(cloud, Buffer.concat(frames)));
    expect([type, errorOf(turn)?.kind, turn.calls.length]).toEqual([type, kind, 0]);
  }
});

test("a damaged frame of Bedrock gives out no call", async () => {
  const cloud = clouds["Bedrock, InvokeModel"] as Cloud;
  const whole = cloud.toBytes(called);
  const last = whole.length - chunkFrame(messageStop).length;
  for (const at of [last - 3, last - 40, last + 9]) {
    const damaged = Uint8Array.from(whole, (byte, index) => (index === at ? byte ^ 1 : byte));
    const [turn] = await ask(cloud, stream(cloud, damaged));
    expect([at, turn.calls.length, turn.stopReason]).toEqual([at, 0, "interrupted"]);
  }
});
