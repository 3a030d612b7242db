import { type Answer, type Serving, serve } from "@fullstop/conformance/server";
import { type Adapter, readTurn, type Turn } from "@fullstop/core";
import { openai, openaiChat } from "@fullstop/provider-openai";
import {
  call,
  callEvents,
  completed,
  created,
  ended,
  messageEvents,
} from "@tooling/test/openai-responses";
import { AzureOpenAI } from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callChunk, chunk, finishChunk, textChunk, usageChunk } from "./chat-server.ts";
import type { Fields } from "./host-wire.ts";
import { errorOf, expectNoCallIfCut, framesOf, json, streamed } from "./local-host.ts";
import { outline } from "./outline.ts";

const apiVersion = "2026-08-01-preview";
const readA = ["tool-use", ["read", { path: "a" }]];
const end = "data: [DONE]";

let answer: Answer = { chunks: [] };
let serving: Serving;
const addresses: string[] = [];
beforeAll(async () => {
  serving = await serve(() => answer);
});
afterAll(() => serving.close());

/** The client that Azure's users make. */
const clientOf = (credentials: Partial<ConstructorParameters<typeof AzureOpenAI>[0]>) =>
  new AzureOpenAI({
    endpoint: serving.url,
    apiVersion,
    ...credentials,
    fetch: (address, init) => {
      addresses.push(String(address));
      return fetch(address, init);
    },
  });
type ClientOf = () => AzureOpenAI;
const withKey: ClientOf = () => clientOf({ apiKey: "azure-key" });

/** What the filter found, by category. */
const filtered = (severity: string) => ({ violence: { filtered: severity === "high", severity } });
/** https://learn.microsoft.com/en-us/azure/foundry/openai/concepts/content-streaming */
const promptResults = {
  ...chunk({}),
  choices: [],
  prompt_filter_results: [{ prompt_index: 0, content_filter_results: filtered("safe") }],
};
const annotation = (offset: number): Fields => ({
  ...chunk({}),
  choices: [
    {
      index: 0,
      finish_reason: null,
      content_filter_results: filtered("safe"),
      content_filter_offsets: { check_offset: offset, start_offset: 0, end_offset: offset },
    },
  ],
});
const chatCall = callChunk(0, ["call_1", "read"], '{"path":"a"}');
const responsesCall = callEvents(0, call("read", '{"path":"a"}'));
const cutCall = callEvents(0, call("read", '{"path":"a', { status: "incomplete" }));

interface Api {
  adapter(client: AzureOpenAI): Adapter;
  /** The deployment is in the path, or it is the model of the body. */
  readonly address: string;
  readonly model: string | undefined;
  readonly whole: readonly (Fields | string)[];
  /** The event of `whole` that ends the reply. */
  readonly last: Fields;
  /** The filter cut the reply in the input of its call. */
  readonly filtered: readonly (Fields | string)[];
}
const deployment = "my-deployment";
const chatEnd = finishChunk("tool_calls");
const apis: Readonly<Record<string, Api>> = {
  Chat: {
    adapter: (client) => openaiChat(deployment, { client }),
    address: `/openai/deployments/${deployment}/chat/completions?api-version=${apiVersion}`,
    model: deployment,
    whole: [
      promptResults,
      textChunk("Reading."),
      annotation(8),
      chatCall,
      chatEnd,
      annotation(20),
      usageChunk(20),
      end,
    ],
    last: chatEnd,
    filtered: [
      promptResults,
      callChunk(0, ["call_1", "read"], '{"path":"a'),
      annotation(8),
      finishChunk("content_filter"),
      usageChunk(20),
      end,
    ],
  },
  Responses: {
    adapter: (client) => openai(deployment, { client }),
    address: `/openai/responses?api-version=${apiVersion}`,
    model: deployment,
    whole: [created, ...messageEvents(1, "Reading."), ...responsesCall, completed],
    last: completed,
    filtered: [
      created,
      ...cutCall,
      ended("incomplete", { incomplete_details: { reason: "content_filter" } }),
    ],
  },
};

describe.each(Object.entries(apis))("Azure, %s", (_, api) => {
  const ask = async (next: Answer, client: ClientOf = withKey): Promise<Turn> => {
    answer = next;
    return readTurn(api.adapter(client()), { messages: [{ role: "user", content: "Go." }] });
  };
  const headers = () => serving.requests.at(-1)?.headers ?? {};

  test("the address has the deployment and the version, and the key is `api-key`", async () => {
    const turn = await ask(streamed(...api.whole));
    expect([...outline(turn), turn.text]).toEqual([...readA, "Reading."]);
    expect(addresses.at(-1)).toBe(`${serving.url}${api.address}`);
    expect([headers()["api-key"], headers()["authorization"]]).toEqual(["azure-key", undefined]);
    expect(JSON.parse(serving.requests.at(-1)?.body ?? "{}")).toMatchObject({ model: api.model });
  });

  test("each request has a new token of Entra ID", async () => {
    let count = 0;
    const client = clientOf({ azureADTokenProvider: async () => `token-${++count}` });
    for (const token of ["token-1", "token-2"]) {
      expect(outline(await ask(streamed(...api.whole), () => client))).toEqual(readA);
      expect([headers()["authorization"], headers()["api-key"]]).toEqual([
        `Bearer ${token}`,
        undefined,
      ]);
    }
  });

  test("a reply that is cut gives out no call", async () => {
    await expectNoCallIfCut(framesOf(api.whole.slice(0, api.whole.indexOf(api.last) + 1)), ask);
  });

  test("a reply that the filter cut gives out no call", async () => {
    const turn = await ask(streamed(...api.filtered));
    expect(outline(turn)).toEqual(["content-filter"]);
    expect(turn.withheld.map(({ name }) => name)).toEqual(["read"]);
  });

  test("a prompt that the filter refused is filtered, and its error says so", async () => {
    const error = {
      message: "The response was filtered due to the prompt triggering the content policy.",
      type: null,
      param: "prompt",
      code: "content_filter",
      status: 400,
      innererror: {
        code: "ResponsibleAIPolicyViolation",
        content_filter_result: filtered("high"),
      },
    };
    const turn = await ask(json({ error }, 400));
    expect(turn.stopReason).toBe("content-filter");
    const other = { ...error, code: "BadRequest", innererror: undefined };
    expect((await ask(json({ error: other }, 400))).stopReason).toBe("error");
  });

  test.each([
    [401, { code: "401", message: "Access denied due to invalid subscription key." }, "auth"],
    [404, { code: "DeploymentNotFound", message: "It does not exist." }, "invalid-request"],
    [429, { code: "429", message: "Requests have exceeded the rate limit." }, "rate-limit"],
    [500, { code: "InternalServerError", message: "Backend returned an error." }, "server"],
  ] as const)(
    "a failed status is one request, and its kind is known: %i",
    async (status, error, kind) => {
      const before = serving.requests.length;
      const turn = await ask(json({ error }, status, { "retry-after-ms": "1500" }));
      expect(errorOf(turn)).toMatchObject({ kind, status });
      expect(errorOf(turn)?.retryAfterMs).toBe(1500);
      expect(serving.requests.length - before).toBe(1);
    },
  );
});
