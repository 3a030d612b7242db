import { after, ask as askHost, refusalOf, textOf, write } from "@fullstop/conformance-cli/host";
import type { Adapter, Message, Turn } from "@fullstop/core";

export const go: Message = { role: "user", content: "Write the notes." };
const { name, description, inputSchema: parameters } = write;
/** A request of Chat Completions, without an adapter. */
export const chatBody = {
  messages: [go],
  tools: [{ type: "function", function: { name, description, parameters } }],
};
export const caps: readonly number[] = Array.from({ length: 60 }, (_, index) => index + 1);

/** What the server writes if no cap cuts it: asked without an adapter. */
export interface Uncut {
  readonly tokens: number;
  readonly inputs: readonly unknown[];
}

/** @param params further parameters of Chat Completions. */
export async function askUncut(url: string, params: object): Promise<Uncut> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ ...chatBody, max_tokens: 500, ...params }),
  });
  const { choices, usage } = (await response.json()) as {
    readonly choices: readonly {
      readonly message: { readonly tool_calls: readonly { function: { arguments: string } }[] };
    }[];
    readonly usage: { readonly completion_tokens: number };
  };
  const calls = choices[0]?.message.tool_calls ?? [];
  const inputs = calls.map((call): unknown => JSON.parse(call.function.arguments));
  return { tokens: usage.completion_tokens, inputs };
}

export const ask = async (
  adapter: Adapter,
  messages: readonly Message[],
  maxTokens: number,
): Promise<Turn> => (await askHost(adapter, { messages, maxTokens })).turn;

export interface Swept {
  /** Requests that the server refused, with its errors. */
  readonly refused: readonly string[];
  /** Caps at which a cut call was given out, or a whole one was not. */
  readonly wrong: readonly string[];
  readonly cut: number;
  readonly whole: number;
}

/** Asks with every cap, and again with the history after each reply. */
export async function sweep(model: Adapter, uncut: Uncut): Promise<Swept> {
  const refused: string[] = [];
  const wrong: string[] = [];
  for (const cap of caps) {
    const turn = await ask(model, [go], cap);
    const next = await ask(model, after([go], turn), cap);
    refused.push(...[turn, next].flatMap((one) => refusalOf(one) ?? []));
    const given = textOf(turn.calls.map(({ input }) => input));
    const isRight = expectedCalls(cap, uncut).includes(given);
    if (!isRight)
      wrong.push(
        `cap ${cap}: ${turn.stopReason} gives ${given}, and the text ${JSON.stringify(turn.text)}`,
      );
  }
  const cut = caps.filter((cap) => cap < uncut.tokens).length;
  return { refused, wrong, cut, whole: caps.filter((cap) => cap > uncut.tokens).length };
}

/** A reply that ends exactly at the cap cannot be distinguished from a cut one. */
function expectedCalls(cap: number, { tokens, inputs }: Uncut): readonly string[] {
  const whole = textOf(inputs);
  if (cap === tokens) return ["[]", whole];
  return [cap < tokens ? "[]" : whole];
}

/** A `fetch` that keeps the last reply, and changes it. */
export function change(edit: (reply: string) => string): {
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
