import {
  type Adapter,
  type AssistantBlock,
  defineAdapter,
  type Endpoint,
  type Message,
  type StopTable,
  sse,
  type ToolResultBlock,
  type TurnRequest,
} from "@fullstop/core";

type AcmeEvent =
  | { say: "text"; text: string }
  | { say: "tool"; n: number; id: string; name: string }
  | { say: "input"; n: number; json: string }
  | { say: "tool_done"; n: number }
  | { say: "end"; why: "done" | "tool" | "budget" | "policy"; tokens: { in: number; out: number } };

/** https://docs.acme.example/why */
const stops: StopTable<Extract<AcmeEvent, { say: "end" }>["why"]> = {
  done: "stop",
  tool: "tool-use",
  budget: "length",
  policy: "content-filter",
};

export const acme = (model: string, { apiKey, baseURL = "https://api.acme.example", fetch = globalThis.fetch }: Endpoint = {}): Adapter =>
  defineAdapter<AcmeEvent>({
    provider: "acme",
    protocol: "acme-chat",
    model,
    stops,
    completes: "per-call",
    async open(request, signal) {
      const headers = { "content-type": "application/json", authorization: `Bearer ${apiKey}` };
      return sse(await fetch(`${baseURL}/chat`, { method: "POST", headers, body: JSON.stringify(encode(request, model)), signal }));
    },
    decoder: (emit) => (event) => {
      switch (event.say) {
        case "text":
          return emit({ type: "text", text: event.text });
        case "tool":
          return emit({ type: "tool-input-start", key: event.n, id: event.id, name: event.name });
        case "input":
          return emit({ type: "tool-input", key: event.n, text: event.json });
        case "tool_done":
          return emit({ type: "tool-input-end", key: event.n });
        case "end":
          emit({ type: "usage", usage: { input: event.tokens.in, output: event.tokens.out } });
          return emit({ type: "stop", native: event.why });
      }
    },
  });

const encode = ({ system, messages, tools, toolChoice, maxTokens }: TurnRequest, model: string): object => ({
  model,
  system,
  tools,
  tool_choice: toolChoice,
  budget: maxTokens,
  talk: messages.flatMap(encodeMessage),
});

const encodeMessage = (message: Message): object[] =>
  message.role === "user" ? [{ user: message.content }] : message.content.flatMap(encodeBlock);

function encodeBlock(block: AssistantBlock | ToolResultBlock): object[] {
  switch (block.type) {
    case "text":
      return [{ model: block.text }];
    case "tool-call":
      return [{ tool: block.id, name: block.name, input: JSON.parse(block.inputText) }];
    case "tool-result":
      return [{ result: block.id, text: block.content, failed: block.isError ?? false }];
    case "thinking":
    case "native":
      return [];
  }
}
