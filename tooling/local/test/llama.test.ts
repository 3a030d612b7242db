import { type Adapter, type Message, readTurn, type ToolSpec, type Turn } from "@fullstop/core";
import { anthropic } from "@fullstop/provider-anthropic";
import { openai } from "@fullstop/provider-openai";
import { openaiCompatible } from "@fullstop/provider-openai-compatible";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LlamaServer, startLlama } from "../src/llama.ts";

const write: ToolSpec = {
  name: "write",
  description: "Writes a file.",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string" }, text: { type: "string" } },
    required: ["path", "text"],
    additionalProperties: false,
  },
};
const go: Message = { role: "user", content: "Write the notes." };
const apiKey = "none";
const params = { temperature: 1 };

/** The surfaces of the server, each with the options that docs/local-models.md names. */
type Surface = "Chat" | "Responses" | "Messages";
const surfaces: Readonly<Record<Surface, (url: string, how: How) => Adapter>> = {
  Chat: (url, how) =>
    openaiCompatible("llamacpp", "tiny", { baseURL: `${url}/v1`, apiKey, params, ...how }),
  Responses: (url, how) =>
    openai("tiny", {
      baseURL: `${url}/v1`,
      apiKey,
      params,
      mislabelsTruncation: true,
      ...how,
    }),
  Messages: (url, how) => anthropic("tiny", { baseURL: url, apiKey, params, ...how }),
};
interface How {
  readonly stream: boolean;
  readonly fetch?: typeof globalThis.fetch;
}
const cases = Object.entries(surfaces).flatMap(([surface, adapter]) => [
  { surface, adapter, stream: true, how: "as a stream" },
  { surface, adapter, stream: false, how: "in one piece" },
]);
const caps = Array.from({ length: 60 }, (_, index) => index + 1);

/** What the server writes if no cap cuts it: asked without an adapter. */
interface Uncut {
  readonly tokens: number;
  readonly input: unknown;
}

async function askUncut(url: string): Promise<Uncut> {
  const { name, description, inputSchema: parameters } = write;
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify({
      messages: [go],
      tools: [{ type: "function", function: { name, description, parameters } }],
      tool_choice: "required",
      max_tokens: 500,
      ...params,
    }),
  });
  const { choices, usage } = (await response.json()) as {
    readonly choices: readonly {
      readonly message: { readonly tool_calls: readonly { function: { arguments: string } }[] };
    }[];
    readonly usage: { readonly completion_tokens: number };
  };
  const text = choices[0]?.message.tool_calls[0]?.function.arguments ?? "";
  return { tokens: usage.completion_tokens, input: JSON.parse(text) };
}

const ask = (adapter: Adapter, messages: readonly Message[], maxTokens: number): Promise<Turn> =>
  readTurn(adapter, { messages, tools: [write], toolChoice: "required", maxTokens });

const refusalOf = (turn: Turn): string | undefined =>
  turn.stopReason === "error" && "error" in turn ? turn.error.message : undefined;

/** The history after a turn: with the results of its calls, or with the loop's note. */
function after({ message, calls }: Turn): readonly Message[] {
  const reply = message === undefined ? [] : [message];
  if (calls.length === 0)
    return [go, ...reply, { role: "user", content: "Your reply was cut off. Write less." }];
  return [
    go,
    ...reply,
    {
      role: "tool",
      content: calls.map(({ id, name }) => ({
        type: "tool-result",
        id,
        name,
        content: "Written.",
      })),
    },
  ];
}

interface Swept {
  /** Requests that the server refused, with its errors. */
  readonly refused: readonly string[];
  /** Caps at which a cut call was given out, or a whole one was not. */
  readonly wrong: readonly string[];
  readonly cut: number;
  readonly whole: number;
}

/** Asks with every cap, and again with the history after each reply. */
async function sweep(model: Adapter, uncut: Uncut): Promise<Swept> {
  const refused: string[] = [];
  const wrong: string[] = [];
  for (const cap of caps) {
    const turn = await ask(model, [go], cap);
    const next = await ask(model, after(turn), cap);
    refused.push(...[turn, next].flatMap((one) => refusalOf(one) ?? []));
    const given = JSON.stringify(turn.calls.map(({ input }) => input));
    const isRight = expectedCalls(cap, uncut).includes(given);
    if (!isRight) wrong.push(`cap ${cap}: ${turn.stopReason} gives ${given}`);
  }
  const cut = caps.filter((cap) => cap < uncut.tokens).length;
  return { refused, wrong, cut, whole: caps.filter((cap) => cap > uncut.tokens).length };
}

/** A reply that ends exactly at the cap cannot be told from a cut one. */
function expectedCalls(cap: number, { tokens, input }: Uncut): readonly string[] {
  const whole = JSON.stringify([input]);
  if (cap === tokens) return ["[]", whole];
  return [cap < tokens ? "[]" : whole];
}

/** What a surface calls a reply that the cap cut: read without an adapter. */
const words: Readonly<Record<Surface, string>> = {
  Chat: '"finish_reason":"length"',
  Responses: '"status":"completed"',
  Messages: '"stop_reason":"max_tokens"',
};

/** A `fetch` that keeps the last reply, and changes it. */
function change(edit: (reply: string) => string): {
  readonly fetch: typeof globalThis.fetch;
  last(): string;
} {
  let last = "";
  return {
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      last = edit(await response.text());
      return new Response(last, { status: response.status, headers: response.headers });
    },
    last: () => last,
  };
}

describe.each([1, 2, 3])("llama.cpp's server, caps from 1 to 60, seed %i", (seed) => {
  let server: LlamaServer | undefined;
  let missing = "";
  let uncut: Uncut = { tokens: 0, input: undefined };
  beforeAll(async () => {
    try {
      server = await startLlama(seed);
      uncut = await askUncut(server.url);
    } catch (thrown) {
      if (!(thrown instanceof Error && thrown.name === "MissingServerError")) throw thrown;
      missing = thrown.message;
    }
  });
  afterAll(() => server?.stop());

  test.for(cases)("$surface, $how", async ({ surface, adapter, stream, how }, { skip }) => {
    if (server === undefined) return skip(missing);
    expect(uncut.tokens).toBeGreaterThan(20);
    expect(uncut.tokens).toBeLessThan(60);
    const { refused, wrong, cut, whole } = await sweep(adapter(server.url, { stream }), uncut);
    expect(refused).toEqual([]);
    expect(wrong).toEqual([]);
    console.info(
      `${surface} ${how}: 0 of ${cut} cut calls were given out, and ${whole} of ${whole} whole ones. No request was refused.`,
    );
  });

  test.for(Object.entries(words) as [Surface, string][])(
    "%s calls a cut reply as the page says",
    async ([surface, word], { skip }) => {
      if (server === undefined) return skip(missing);
      const { fetch, last } = change((reply) => reply);
      const model = surfaces[surface](server.url, { stream: false, fetch });
      for (const cap of [20, uncut.tokens - 1]) {
        await ask(model, [go], cap);
        expect(last().replaceAll(" ", "")).toContain(word);
      }
    },
  );

  test("the sweep notices a usage that hides a cut", async ({ skip }) => {
    if (server === undefined) return skip(missing);
    const { fetch } = change((reply) => reply.replace(/"output_tokens":\d+/, '"output_tokens":1'));
    const { wrong } = await sweep(surfaces.Responses(server.url, { stream: false, fetch }), uncut);
    expect(wrong).not.toEqual([]);
  });
});
