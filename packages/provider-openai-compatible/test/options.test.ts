import { readTurn, type TurnRequest } from "@fullstop/core";
import {
  type Dialect,
  type DialectName,
  dialects,
  openaiCompatible,
} from "@fullstop/provider-openai-compatible";
import { describe, expect, test } from "vitest";
import { readCall, word } from "./quirks/fixtures.ts";
import { done, type Event, serve } from "./server.ts";

const request: TurnRequest = { messages: [{ role: "user", content: "Go." }], maxTokens: 1024 };
const counting = (completion: number, reasoning: number) => ({
  ...{ prompt_tokens: 1, completion_tokens: completion, total_tokens: 1 + completion },
  completion_tokens_details: { reasoning_tokens: reasoning },
});
const named = (row: Dialect) => ({ ...row, name: "mine" });

describe("a name that no dialect has", () => {
  test.each([
    ["grok", "groq"],
    ["LiteLLM", "litellm"],
    ["olama", "ollama"],
    ["vlm", "vllm"],
  ])("D4: %s is refused although there is a `baseURL`, and %s is named", (name, meant) => {
    const make = () =>
      openaiCompatible(name as DialectName, "m", { baseURL: "http://host.example/v1" });
    expect(make).toThrow(`Did you mean "${meant}"?`);
    expect(make).toThrow('"custom"');
  });

  test("D4: of one that is like none, nothing is guessed", () => {
    for (const name of ["my-company", "constructor", ""]) {
      const make = () =>
        openaiCompatible(name as DialectName, "m", { baseURL: "http://host.example/v1" });
      expect(make).toThrow(TypeError);
      expect(make).not.toThrow("Did you mean");
    }
  });
});

describe("the output cap", () => {
  test("F2: in `params` it is refused at once", () => {
    for (const name of ["max_tokens", "max_completion_tokens"]) {
      expect(() => openaiCompatible("groq", "m", { params: { [name]: 20 } as object })).toThrow(
        /maxTokens/,
      );
    }
  });

  test("E6: LiteLLM raises one below 16, so 16 is sent and compared", async () => {
    const answer = [readCall, word("tool_calls", counting(12, 0)), done];
    const server = serve(answer, answer);
    const asked = { ...request, maxTokens: 10 };
    expect((await readTurn(server.adapter("litellm"), asked)).stopReason).toBe("tool-use");
    expect((await readTurn(server.adapter("vllm"), asked)).stopReason).toBe("length");
    expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([16, 10]);
  });

  test("E8: hosts on one's own machine say how far it may be raised", () => {
    for (const name of ["vllm", "llamacpp", "ollama", "lmstudio", "litellm"] as const) {
      expect([name, serve().adapter(name).maxTokens?.ceiling]).toEqual([name, 32_768]);
    }
  });
});

describe("how a host counts reasoning", () => {
  const read = async (row: Dialect | DialectName, usage: object, options = {}) => {
    const answer: readonly Event[] = [readCall, word("tool_calls", { ...usage }), done];
    return readTurn(
      serve(answer).adapter(typeof row === "string" ? row : named(row), options),
      request,
    );
  };

  test("B6: is not known of one that is not listed: an output beyond the cap proves nothing if its reasoning explains it", async () => {
    expect((await read("custom", counting(1100, 100))).stopReason).toBe("tool-use");
    expect((await read("custom", counting(1124, 100))).stopReason).toBe("length");
    expect((await read("custom", counting(1100, 0))).stopReason).toBe("length");
    expect((await read("custom", counting(1024, 100))).stopReason).toBe("length");
    for (const name of ["llamacpp", "deepseek", "groq", "openrouter"] as const) {
      expect([name, (await read(name, counting(1100, 100))).stopReason]).toEqual([name, "length"]);
    }
  });

  test("B6: is said by a row of one's own", async () => {
    expect((await read({ reasoningTokens: "counted" }, counting(1100, 100))).stopReason).toBe(
      "length",
    );
    expect((await read({ reasoningTokens: "uncapped" }, counting(1024, 100))).stopReason).toBe(
      "tool-use",
    );
    expect((await read({ reasoningTokens: "beside" }, counting(1000, 100))).stopReason).toBe(
      "length",
    );
    expect(
      (await read({ ...dialects.vllm, reasoningTokens: "uncapped" }, counting(1100, 100)))
        .stopReason,
    ).toBe("tool-use");
  });

  test("B6: beside `mislabelsTruncation` the doubt is told, with the option that settles it", async () => {
    const turn = await read("custom", counting(1100, 100), { mislabelsTruncation: true });
    expect(turn).toMatchObject({ stopReason: "length", withheld: [{ reason: "cap-unproven" }] });
    expect(turn.withheld[0]?.detail).toContain("`reasoningTokens`");
  });
});

describe("a host or a gateway that mislabels truncated replies", () => {
  test("E5: is said by option, on every dialect, and so is that one does not", async () => {
    const answer = [readCall, word("tool_calls"), done];
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

describe("indices of calls", () => {
  test("A6: may have gaps where the row says so", async () => {
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
    const answer = [readCall, second, word("tool_calls", counting(9, 0)), done];
    expect((await readTurn(serve(answer).adapter("custom"), request)).stopReason).toBe(
      "interrupted",
    );
    expect(
      (await readTurn(serve(answer).adapter(named({ sparseIndices: true })), request)).calls,
    ).toHaveLength(2);
  });
});
