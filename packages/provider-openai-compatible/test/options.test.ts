import { readTurn, type TurnRequest } from "@fullstop/core";
import {
  type Dialect,
  type DialectName,
  dialects,
  openaiCompatible,
} from "@fullstop/provider-openai-compatible";
import { describe, expect, test } from "vitest";
import { finishChunk, readCall } from "./quirks/fixtures.ts";
import { done, type Event, serve } from "./server.ts";

const request: TurnRequest = { messages: [{ role: "user", content: "Go." }], maxTokens: 1024 };
const counting = (completion: number, reasoning: number) => ({
  prompt_tokens: 1,
  completion_tokens: completion,
  total_tokens: 1 + completion,
  completion_tokens_details: { reasoning_tokens: reasoning },
});
const named = (row: Dialect) => ({ ...row, name: "mine" });

describe("a name that no dialect has", () => {
  test.each([
    ["grok", "groq"],
    ["LiteLLM", "litellm"],
    ["olama", "ollama"],
    ["vlm", "vllm"],
  ])("%s is refused although there is a `baseURL`, and %s is named", (name, meant) => {
    const make = () =>
      openaiCompatible(name as DialectName, "m", { baseURL: "http://host.example/v1" });
    expect(make).toThrow(`Did you mean "${meant}"?`);
    expect(make).toThrow('"custom"');
  });

  test("is not guessed if no name is similar", () => {
    for (const name of ["my-company", "constructor", "", undefined]) {
      const make = () =>
        openaiCompatible(name as DialectName, "m", { baseURL: "http://host.example/v1" });
      expect(make).toThrow(`No dialect is called "${name}".`);
      expect(make).not.toThrow("Did you mean");
    }
  });
});

describe("the output cap", () => {
  test("is refused in `params` at once", () => {
    for (const name of ["max_tokens", "max_completion_tokens"]) {
      expect(() => openaiCompatible("groq", "m", { params: { [name]: 20 } as object })).toThrow(
        /maxTokens/,
      );
    }
  });

  test("is at least 16 for LiteLLM, which raises a lower one", async () => {
    const answer = [readCall, finishChunk("tool_calls", counting(12, 0)), done];
    const server = serve(answer, answer);
    const asked = { ...request, maxTokens: 10 };
    expect((await readTurn(server.adapter("litellm"), asked)).stopReason).toBe("tool-use");
    expect((await readTurn(server.adapter("vllm"), asked)).stopReason).toBe("length");
    expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([16, 10]);
  });

  test("has the name that the host reads", async () => {
    const server = serve([finishChunk("stop"), done], [finishChunk("stop"), done]);
    await readTurn(server.adapter("snowflake"), request);
    await readTurn(server.adapter("baseten"), request);
    expect(
      server.requests.map(({ body }) => [body.max_tokens, body["max_completion_tokens"]]),
    ).toEqual([
      [undefined, 1024],
      [1024, undefined],
    ]);
  });

  test("is sent by default to MLX, which ends at 512 without one", async () => {
    const server = serve([finishChunk("stop"), done], [finishChunk("stop"), done]);
    const { messages } = request;
    await readTurn(server.adapter("mlx"), { messages });
    await readTurn(server.adapter("sglang"), { messages });
    expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([4096, undefined]);
  });

  test("has a ceiling for local hosts", () => {
    const local = ["vllm", "llamacpp", "ollama", "lmstudio", "sglang", "tgi", "mlx"] as const;
    for (const name of [...local, "litellm"] as const) {
      expect([name, serve().adapter(name).maxTokens?.ceiling]).toEqual([name, 32_768]);
    }
  });
});

describe("stop sequences", () => {
  const params = { stop: ["END"] };

  test("are refused at once for a host that reports a cut call as finished", () => {
    expect(() => openaiCompatible("mlx", "m", { params })).toThrow(/`params.stop`.*mislabelsStop/);
    for (const stop of [[], null]) {
      expect(() => openaiCompatible("mlx", "m", { params: { stop } })).not.toThrow();
    }
  });

  test("are sent if the row accepts them, and by the other hosts", async () => {
    const server = serve([finishChunk("stop"), done], [finishChunk("stop"), done]);
    const row = named({ ...dialects.mlx, mislabelsStopSequences: false });
    await readTurn(server.adapter(row, { params }), request);
    await readTurn(server.adapter("sglang", { params }), request);
    expect(server.requests.map(({ body }) => body.stop)).toEqual([["END"], ["END"]]);
  });
});

describe("how a host counts reasoning", () => {
  const read = async (row: Dialect | DialectName, usage: object, options = {}) => {
    const answer: readonly Event[] = [readCall, finishChunk("tool_calls", { ...usage }), done];
    return readTurn(
      serve(answer).adapter(typeof row === "string" ? row : named(row), options),
      request,
    );
  };

  test("is not known if the host is not listed: an output above the cap proves nothing if reasoning explains it", async () => {
    expect((await read("custom", counting(1100, 100))).stopReason).toBe("tool-use");
    expect((await read("custom", counting(1124, 100))).stopReason).toBe("length");
    expect((await read("custom", counting(1100, 0))).stopReason).toBe("length");
    expect((await read("custom", counting(1024, 100))).stopReason).toBe("length");
    expect((await read("openrouter", counting(1100, 100))).stopReason).toBe("tool-use");
    for (const name of ["llamacpp", "deepseek", "groq"] as const) {
      expect([name, (await read(name, counting(1100, 100))).stopReason]).toEqual([name, "length"]);
    }
  });

  test("is set by your own dialect", async () => {
    expect((await read({ reasoningTokens: "counted" }, counting(1100, 100))).stopReason).toBe(
      "length",
    );
    expect((await read({ reasoningTokens: "uncapped" }, counting(1024, 100))).stopReason).toBe(
      "tool-use",
    );
    for (const [text, stop] of [
      [923, "tool-use"],
      [924, "length"],
      [1000, "tool-use"],
      [1024, "length"],
    ] as const) {
      const turn = await read({ reasoningTokens: "beside" }, counting(text, 100));
      expect([text, turn.stopReason]).toEqual([text, stop]);
    }
    expect(
      (await read({ ...dialects.vllm, reasoningTokens: "uncapped" }, counting(1100, 100)))
        .stopReason,
    ).toBe("tool-use");
  });

  test("is named in the error next to `mislabelsTruncation`, with the option that settles it", async () => {
    const turn = await read("custom", counting(1100, 100), { mislabelsTruncation: true });
    expect(turn).toMatchObject({ stopReason: "length", withheld: [{ reason: "cap-unproven" }] });
    expect(turn.withheld[0]?.detail).toContain("`reasoningTokens`");
  });
});

describe("a host or a gateway that mislabels truncated replies", () => {
  test("is set by an option, for every dialect, in both directions", async () => {
    const answer = [readCall, finishChunk("tool_calls"), done];
    for (const name of ["custom", "llamacpp", "groq"] as const) {
      const turn = await readTurn(
        serve(answer).adapter(name, { mislabelsTruncation: true }),
        request,
      );
      expect([name, turn.stopReason, turn.withheld[0]?.reason]).toEqual([
        name,
        "length",
        "cap-unproven",
      ]);
    }
    expect(
      (await readTurn(serve(answer).adapter("litellm", { mislabelsTruncation: false }), request))
        .stopReason,
    ).toBe("tool-use");
  });
});

test("Xiaomi gets a text beside a call", async () => {
  const server = serve([finishChunk("stop"), done], [finishChunk("stop"), done]);
  const messages: TurnRequest["messages"] = [
    ...request.messages,
    {
      role: "assistant",
      content: [{ type: "tool-call", id: "a", name: "read", inputText: "{}" }],
    },
    { role: "tool", content: [{ type: "tool-result", id: "a", name: "read", content: "ok" }] },
  ];
  await readTurn(server.adapter("xiaomi"), { messages });
  await readTurn(server.adapter("baseten"), { messages });
  expect(server.requests.map(({ body }) => body.messages[1].content)).toEqual(["", null]);
});

describe("indices of calls", () => {
  test("may have gaps if the dialect says so", async () => {
    const second = {
      choices: [
        {
          index: 0,
          delta: {
            tool_calls: [{ index: 2, id: "b", function: { name: "list", arguments: "{}" } }],
          },
        },
      ],
    };
    const answer = [readCall, second, finishChunk("tool_calls", counting(9, 0)), done];
    expect((await readTurn(serve(answer).adapter("custom"), request)).stopReason).toBe(
      "interrupted",
    );
    expect(
      (await readTurn(serve(answer).adapter(named({ sparseIndices: true })), request)).calls,
    ).toHaveLength(2);
  });
});

test("an option that it does not know is an error at once, and the nearest one is named", () => {
  const make = () => openaiCompatible("ollama", "m", { baseUrl: "http://host.example" } as never);
  expect(make).toThrow("Unknown option `baseUrl` of `openaiCompatible`. Did you mean `baseURL`?");
});
