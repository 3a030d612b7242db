import { type AdapterSubject, clauses, judge } from "@fullstop/conformance";
import { readTurn, type TurnRequest } from "@fullstop/core";
import { unfinishedStops } from "@fullstop/core/adapter";
import { chatNativeStops } from "@fullstop/provider-openai/reply";
import {
  type DialectName,
  dialects,
  type OpenAICompatibleOptions,
  openaiCompatible,
} from "@fullstop/provider-openai-compatible";
import { places } from "@tooling/test/sample";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { callChunk, chunk, finishChunk, input } from "./quirks/fixtures.ts";
import { rows } from "./rows.ts";
import { done, type Event, serve } from "./server.ts";
import { wireOf } from "./wire.ts";

const request: TurnRequest = { messages: [{ role: "user", content: "Go." }], maxTokens: 1024 };
const usage = { prompt_tokens: 1, completion_tokens: 5, total_tokens: 6 };

const wholeCall = {
  id: "call_1",
  type: "function",
  function: { name: "read", arguments: JSON.stringify(input) },
};
const readCall = callChunk("call_1", "read", input);
const cutCall = chunk({
  tool_calls: [
    { index: 0, id: "call_1", function: { name: "read", arguments: '{"path":"/x","con' } },
  ],
});
const text = chunk({ content: "Done." });
const atCap = { ...usage, completion_tokens: 1024 };

/** Every native stop reason of a host that no other host has. */
const hostStops: readonly (readonly [dialect: DialectName, native: string, withCall: string])[] = [
  ["custom", "tool_use", "tool-use"],
  ["custom", "tool_call", "tool-use"],
  ["custom", "TOOL_CALLS", "tool-use"],
  ["custom", "TOOL_CALL", "tool-use"],
  ["custom", "COMPLETE", "tool-use"],
  ["custom", "STOP", "tool-use"],
  ["custom", "tool-calls", "tool-use"],
  ["custom", "toolUse", "tool-use"],
  ["custom", "end_turn", "tool-use"],
  ["custom", "eos", "tool-use"],
  ["custom", "function_call_filter: MALFORMED_FUNCTION_CALL", "malformed-tool-call"],
  ["custom", "content_filter: PROHIBITED_CONTENT", "content-filter"],
  ["custom", "content_filter: RECITATION", "content-filter"],
  ["custom", "content_filter: SAFETY", "content-filter"],
  ["vllm", "repetition", "error"],
  ["ollama", "end", "tool-use"],
  ["ollama", "load", "error"],
  ["ollama", "unload", "error"],
  ["lmstudio", "end", "tool-use"],
  ["tgi", "eos_token", "tool-use"],
  ["together", "eos", "tool-use"],
];

describe("native stop reasons of hosts", () => {
  test.each(hostStops)(
    "%s: %s means %s with a complete call, and is unknown on other hosts",
    async (dialect, native, withCall) => {
      const answer = [readCall, finishChunk(native, withCall === "length" ? atCap : usage), done];
      const server = serve(answer, answer);
      expect((await readTurn(server.adapter(dialect), request)).stopReason).toBe(withCall);
      expect((await readTurn(server.adapter("groq"), request)).stopReason).toBe("unknown");
    },
  );

  test.each(Object.entries(unfinishedStops))(
    "%s is not finished on any host",
    async (native, claim) => {
      const { stop = claim } = typeof claim === "object" && claim ? claim : {};
      const answer = [readCall, finishChunk(native, stop === "length" ? atCap : usage), done];
      for (const dialect of ["custom", "groq", "vllm", "openrouter", "glm"] as const) {
        const turn = await readTurn(serve(answer).adapter(dialect), request);
        expect([turn.stopReason, turn.calls.length]).toEqual([stop, 0]);
      }
    },
  );

  test("are all in the table", () => {
    const listed = Object.entries(dialects).flatMap(([name, { stops = {} }]) =>
      Object.keys(stops).map((native) => `${name} ${native}`),
    );
    expect(hostStops.map(([name, native]) => `${name} ${native}`).sort()).toEqual(listed.sort());
  });

  test("include those of the protocol for every host", async () => {
    for (const dialect of Object.keys(dialects) as DialectName[]) {
      for (const [native, reads] of Object.entries({
        stop: "tool-use",
        tool_calls: "tool-use",
        length: "length",
        content_filter: "content-filter",
      })) {
        const counts = native === "length" ? atCap : usage;
        const turn = await readTurn(
          serve([readCall, finishChunk(native, counts), done]).adapter(dialect),
          request,
        );
        expect([dialect, native, turn.stopReason]).toEqual([dialect, native, reads]);
      }
    }
  });
});

describe("a stop sequence of the request that ended a reply", () => {
  const fields = { vllm: "stop_reason", sglang: "matched_stop" } as const;
  const ended = (field: string, value: unknown, reason: string): readonly Event[] => [
    readCall,
    chunk({}, { finish_reason: reason, [field]: value }),
    { choices: [], usage },
    done,
  ];

  test.each(Object.entries(fields))("of %s, in `%s`, lets no call run", async (name, field) => {
    for (const reason of ["stop", "tool_calls"]) {
      const turn = await readTurn(
        serve(ended(field, "END", reason)).adapter(name as DialectName, {
          params: { stop: ["END"] },
        }),
        request,
      );
      expect(turn.calls).toEqual([]);
      expect(turn.withheld).toMatchObject([{ name: "read", reason: "stop-sequence" }]);
    }
  });

  test.each(Object.entries(fields))(
    "of %s is the host's own end if the request names none",
    async (name, field) => {
      for (const stop of [null, [], ""])
        for (const reason of ["stop", "tool_calls"]) {
          const server = serve(ended(field, "<|im_end|>", reason));
          const adapter = server.adapter(name as DialectName, { params: { stop } });
          expect((await readTurn(adapter, request)).stopReason).toBe("tool-use");
        }
      const cut = serve(ended("stop_reason", "length", "tool_calls"));
      expect((await readTurn(cut.adapter(name as DialectName), request)).calls).toEqual([]);
    },
  );

  test.each(Object.entries(fields))(
    "of %s is not the token that ends a reply, and a text is finished",
    async (name, field) => {
      for (const value of [151_645, null, ""]) {
        const turn = await readTurn(
          serve(ended(field, value, "tool_calls")).adapter(name as DialectName),
          request,
        );
        expect(turn.stopReason).toBe("tool-use");
      }
      const answer = [text, chunk({}, { finish_reason: "stop", [field]: "END" }), done];
      const turn = await readTurn(serve(answer).adapter(name as DialectName), request);
      expect(turn).toMatchObject({ stopReason: "stop", text: "Done." });
    },
  );

  test.each(Object.keys(fields))("of %s is asked by the suite", async (name) => {
    const subject: AdapterSubject = {
      wire: wireOf(name, rows[name as DialectName]),
      adapter: (endpoint) =>
        openaiCompatible(name as DialectName, "m", {
          apiKey: "key",
          params: { stop: ["END"] },
          ...endpoint,
        }),
    };
    const clause = clauses.find(({ id }) => id === "stop.whole");
    const wrong = clause?.mutants?.find((one) => one.wrong.includes("after an end that forbids"));
    const verdictOn = async (one: AdapterSubject): Promise<string | undefined> => {
      for await (const { status } of judge(one, { only: "stop.whole", sample: places() }))
        return status;
      return undefined;
    };
    expect(await verdictOn(subject)).toBe("kept");
    expect(wrong && (await verdictOn(wrong.subject(subject)))).toBe("broken");
  });

  test("is not looked for on other hosts", async () => {
    const turn = await readTurn(
      serve(ended("stop_reason", "tool_use", "tool_calls")).adapter("groq"),
      request,
    );
    expect(turn.stopReason).toBe("tool-use");
  });
});

describe("a reply without finish_reason", () => {
  const silent = finishChunk("", usage);
  const report = { choices: [], usage };
  const own = { baseURL: undefined };
  const body = {
    choices: [{ index: 0, message: { tool_calls: [wholeCall] }, finish_reason: null }],
    usage,
  };
  const omitting = (Object.keys(dialects) as DialectName[]).filter(
    (name) => dialects[name].doneEnds === true,
  );

  test("is finished on a host that omits it, if a usage report came after the call, and `[DONE]`", async () => {
    expect(omitting.sort()).toEqual(["nim", "xai"]);
    for (const name of omitting) {
      const reads = async (...answer: readonly Event[]) =>
        (await readTurn(serve(answer).adapter(name, own), request)).stopReason;
      expect(await reads(readCall, silent, done)).toBe("tool-use");
      expect(await reads(readCall, report, done)).toBe("tool-use");
      expect(await reads(text, report, done)).toBe("stop");
      expect(await reads(body)).toBe("tool-use");
      expect(await reads(readCall, report)).toBe("interrupted");
      expect(await reads(readCall, done)).toBe("interrupted");
      expect(await reads(report, readCall, done)).toBe("interrupted");
      expect(await reads({ ...readCall, usage }, done)).toBe("interrupted");
      expect(await reads(readCall, report, text, done)).toBe("interrupted");
      expect(await reads(done)).toBe("interrupted");
      expect(await reads(readCall, { choices: [], usage: atCap }, done)).toBe("length");
      expect(await reads(cutCall, report, done)).toBe("malformed-tool-call");
    }
  });

  test("differs from a reply whose finish_reason is not a text: that one is interrupted", async () => {
    for (const unreadable of [true, 1, ["stop"], { reason: "stop" }]) {
      const strange = { choices: [{ index: 0, delta: {}, finish_reason: unreadable }], usage };
      const turn = await readTurn(serve([readCall, strange, done]).adapter("nim", own), request);
      expect(turn).toMatchObject({ stopReason: "interrupted", error: { kind: "malformed-reply" } });
    }
  });

  test("is interrupted in a stream of every other host and address, and the error names the option", async () => {
    const cases: readonly (readonly [DialectName, OpenAICompatibleOptions])[] = [
      ...(Object.keys(dialects) as DialectName[]).map((name) => [name, {}] as const),
      ["custom", { mislabelsTruncation: true }],
      ["xai", { client: new OpenAI(clientOptions) }],
    ];
    for (const [name, options] of cases) {
      const server = serve([readCall, report, done]);
      const client = options.client && new OpenAI({ ...clientOptions, fetch: server.fetch });
      const turn = await readTurn(
        server.adapter(name, { ...options, ...(client && { client }) }),
        request,
      );
      expect([name, turn.stopReason]).toEqual([name, "interrupted"]);
      expect("error" in turn && turn.error.message).toContain("`doneEnds: true`");
    }
  });

  test("is finished everywhere with `doneEnds: true` in a dialect of your own", async () => {
    const mine = { ...dialects.custom, name: "mine", doneEnds: true };
    const turn = await readTurn(serve([readCall, report, done]).adapter(mine), request);
    expect(turn.stopReason).toBe("tool-use");
  });

  test("is finished in one piece on every host that does not mislabel or omit it for cut replies", async () => {
    const strict = ["litellm", "lmstudio", "ollama", "openrouter", "vllm"];
    for (const name of Object.keys(dialects) as DialectName[]) {
      const turn = await readTurn(serve([body]).adapter(name, { stream: false }), request);
      const expected = strict.includes(name) ? "interrupted" : "tool-use";
      expect([name, turn.stopReason]).toEqual([name, expected]);
    }
    const uncounted = { choices: body.choices };
    const turn = await readTurn(serve([uncounted]).adapter("custom", { stream: false }), request);
    expect(turn.stopReason).toBe("interrupted");
  });

  test("is a refusal if it holds one, like every reply with a stop reason of a finished one", async () => {
    const refusal = chunk({ refusal: "I can't." });
    for (const stop of ["", "stop", "tool_calls", "function_call"]) {
      const answer = [readCall, refusal, finishChunk(stop, usage), done];
      const turn = await readTurn(serve(answer).adapter("nim", own), request);
      expect([stop, turn.stopReason]).toEqual([stop, "refusal"]);
    }
    for (const stop of ["tool_use", "end_turn", "eos"]) {
      const answer = [readCall, refusal, finishChunk(stop, usage), done];
      expect((await readTurn(serve(answer).adapter("custom"), request)).stopReason).toBe("refusal");
    }
  });
});

const clientOptions = { apiKey: "k", baseURL: "https://gateway.example/v1", maxRetries: 0 };

/** https://openrouter.ai/docs/api/reference/errors-and-debugging */
test.each([
  [401, "authentication", "auth"],
  [402, "payment_required", "billing"],
  [400, "token_limit_exceeded", "billing"],
  [400, "context_length_exceeded", "context-window"],
  [400, "refusal", "filtered"],
  [502, "provider_overloaded", "overloaded"],
  [400, "invalid_request", "invalid-request"],
  [429, "x_later_type", "rate-limit"],
] as const)("OpenRouter's error %i of the type %s is %s", async (code, error_type, kind) => {
  const error = { code, message: "Provider returned error", metadata: { error_type } };
  const ending = { ...finishChunk("error"), error };
  const turn = await readTurn(serve([readCall, ending]).adapter("openrouter"), request);
  expect(turn.calls).toEqual([]);
  if (kind === "filtered") expect(turn.stopReason).toBe("content-filter");
  else expect("error" in turn && turn.error.kind).toBe(kind);
});

describe("the native stop reason of an upstream provider", () => {
  const listed = Object.entries(chatNativeStops).flatMap(([key, claim]) =>
    claim === null ? [] : [[key.split(":")[1], claim] as const],
  );

  test.each(listed)("%s next to `tool_calls` lets no call run", async (native) => {
    const strange = {
      choices: [{ index: 0, delta: {}, finish_reason: "tool_calls", native_finish_reason: native }],
      usage: atCap,
    };
    const turn = await readTurn(serve([readCall, strange, done]).adapter("openrouter"), {
      ...request,
      maxTokens: 2048,
    });
    expect(turn.stopReason).not.toBe("tool-use");
    expect(turn.calls).toEqual([]);
  });

  test("any other leaves the decision to `finish_reason`, and one can be added", async () => {
    const strange = {
      choices: [{ index: 0, delta: {}, finish_reason: "tool_calls", native_finish_reason: "FULL" }],
      usage: atCap,
    };
    const stops = { "native_finish_reason:FULL": "content-filter" } as const;
    const server = serve([readCall, strange, done], [readCall, strange, done]);
    const largerRequest = { ...request, maxTokens: 2048 };
    expect((await readTurn(server.adapter("openrouter"), largerRequest)).stopReason).toBe(
      "tool-use",
    );
    expect(
      (await readTurn(server.adapter("openrouter", { stops }), largerRequest)).stopReason,
    ).toBe("content-filter");
  });
});
