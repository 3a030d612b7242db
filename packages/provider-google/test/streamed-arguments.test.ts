import { type Answer, type Serving, serve } from "@fullstop/conformance/server";
import { readTurn, type Turn } from "@fullstop/core";
import { google } from "@fullstop/provider-google";
import { GoogleGenAI } from "@google/genai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bytes, type Chunk, chunk, end, type Part, usage } from "./chunks.ts";

let answer: Answer = { chunks: [] };
let serving: Serving;
beforeAll(async () => {
  serving = await serve(() => answer);
});
afterAll(() => serving.close());

/** Only Google Cloud streams arguments. Its client is the vendor's, over a socket. */
async function ask(chunks: readonly Chunk[], fault?: Answer["fault"]): Promise<Turn> {
  answer = { chunks: chunks.map((one) => new TextEncoder().encode(bytes([one]))), fault };
  const client = new GoogleGenAI({
    vertexai: true,
    project: "p",
    location: "europe-west4",
    googleAuthOptions: {
      authClient: {
        getRequestHeaders: async () => new Headers({ authorization: "Bearer mine" }),
        quotaProjectId: undefined,
      } as never,
    },
    httpOptions: { baseUrl: serving.url },
  });
  const params = { toolConfig: { functionCallingConfig: { streamFunctionCallArguments: true } } };
  return readTurn(google("gemini-3.1-pro", { client, params }), {
    messages: [{ role: "user", content: "Go." }],
    tools: [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }],
    maxTokens: 1000,
  });
}
const outline = ({ stopReason, calls, withheld }: Turn) => [
  stopReason,
  calls.map(({ input }) => input),
  withheld.map(({ reason, inputText }) => [reason, inputText]),
];

/** https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#streaming-fc */
const part = (functionCall: object): Part => ({ functionCall });
const begun = part({ name: "read", willContinue: true });
const piece = (stringValue: string, willContinue: boolean, goesOn = true): Part =>
  part({
    partialArgs: [{ jsonPath: "$.path", stringValue, ...(willContinue && { willContinue }) }],
    ...(goesOn && { willContinue: true }),
  });
const closed = part({});
const streamed = (finishReason: string, ...parts: readonly Part[]): readonly Chunk[] => [
  ...parts.map((one) => chunk(one)),
  end(finishReason),
];

describe("arguments that come in pieces", () => {
  test.each<[string, readonly Part[]]>([
    ["an empty part closes the call", [begun, piece("/srv/", true), piece("a", false), closed]],
    ["the last piece closes the call", [begun, piece("/srv/", true), piece("a", false, false)]],
  ])("are a call when they are closed: %s", async (_, parts) => {
    expect(outline(await ask(streamed("STOP", ...parts)))).toEqual([
      "tool-use",
      [{ path: "/srv/a" }],
      [],
    ]);
    expect(serving.requests.at(-1)?.path).toBe(
      "/v1beta1/projects/p/locations/europe-west4/publishers/google/models/gemini-3.1-pro:streamGenerateContent",
    );
  });

  /** Each reply ends with `willContinue: true`. */
  const open: readonly (readonly [string, readonly Part[], string])[] = [
    ["before any argument", [begun], ""],
    ["in a string", [begun, piece("/srv/", true)], '{"path":"/srv/'],
    ["after a complete argument", [begun, piece("/srv/a", false)], '{"path":"/srv/a"'],
  ];

  test.each(open)("are withheld if STOP comes while they continue: %s", async (_, parts, text) => {
    expect(outline(await ask(streamed("STOP", ...parts)))).toEqual([
      "malformed-tool-call",
      [],
      [["not-closed", text]],
    ]);
  });

  test.each(open)(
    "are withheld if MAX_TOKENS comes while they continue: %s",
    async (_, parts, text) => {
      const cut = streamed("MAX_TOKENS", ...parts).slice(0, -1);
      const last = end("MAX_TOKENS", {}, { ...usage, candidatesTokenCount: 1000 });
      expect(outline(await ask([...cut, last]))).toEqual(["length", [], [["stop-reason", text]]]);
    },
  );

  test("do not run under MAX_TOKENS, not even if they are closed", async () => {
    const turn = await ask(streamed("MAX_TOKENS", begun, piece("/srv/a", false, false)));
    expect([turn.calls, turn.withheld[0]?.reason]).toEqual([[], "stop-reason"]);
  });

  test.each([[7], [[]], [{}], [true]])("continue with a text only: %j", async (stringValue) => {
    const continued = part({
      partialArgs: [{ jsonPath: "$.path", stringValue, willContinue: true }],
      willContinue: true,
    });
    const turn = await ask(
      streamed("STOP", begun, piece("/srv/", true), continued, piece("a", false), closed),
    );
    expect([turn.stopReason, turn.calls]).toEqual(["interrupted", []]);
  });

  test("of one call that continue withhold the calls before it", async () => {
    const whole = part({ name: "read", args: { path: "/srv/a" } });
    const turn = await ask(streamed("STOP", whole, begun, piece("/srv/", true)));
    expect([turn.stopReason, turn.calls.length, turn.withheld.length]).toEqual([
      "malformed-tool-call",
      0,
      2,
    ]);
  });

  test("give out no call if the connection ends before the reply does", async () => {
    const chunks = streamed("STOP", begun, piece("/srv/", true), piece("a", false), closed);
    for (const count of chunks.keys())
      for (const fault of [undefined, "reset"] as const)
        expect(outline(await ask(chunks.slice(0, count), fault)).slice(0, 2)).toEqual([
          "interrupted",
          [],
        ]);
  });
});
