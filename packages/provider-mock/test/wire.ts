import type { Wire } from "@fullstop/conformance";

interface Block {
  readonly type: string;
  readonly id: string;
}
interface Body {
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
}

/** The mock's protocol from the server's side: turn events as JSON. */
export const wire: Wire = {
  name: "mock",
  words: {
    stop: "stop",
    "tool-use": "tool-use",
    length: "length",
    "context-window": "context-window",
    pause: "pause",
    refusal: "refusal",
    "content-filter": "content-filter",
    "malformed-tool-call": "malformed-tool-call",
    error: "error",
    unknown: "unknown",
  },
  frames: ({ blocks, stop, output }) => ({
    upToTerminal: [
      ...blocks.flatMap((block, key): object[] =>
        "text" in block
          ? [{ type: "text", text: block.text }]
          : [
              { type: "tool-input-start", key, id: block.id, name: block.name },
              ...pieces(JSON.stringify(block.input)).map((text) => ({ type: "tool-input", key, text })),
              { type: "tool-input-end", key },
            ],
      ),
      { type: "usage", usage: { input: 9, output } },
      { type: "stop", native: stop, provisional: false },
    ].map((event) => JSON.stringify(event)),
  }),
  errors: [{ frame: JSON.stringify({ type: "error", native: "server_error", message: "Broken." }), kind: "server" }],
  violations: (body) =>
    (body as Body).messages.flatMap(({ role, content }, at, all) => (role === "user" ? [] : unanswered(at, all, content))),
};

const pieces = (text: string): readonly string[] => text.match(/[\s\S]{1,24}/g) ?? [];

/** Each call is answered in the next message, and each result answers one of the message before. */
function unanswered(at: number, all: Body["messages"], content: Body["messages"][number]["content"]): readonly string[] {
  const ids = (message: Body["messages"][number] | undefined, type: string): string =>
    typeof message?.content === "object" ? message.content.flatMap((block) => (block.type === type ? [block.id] : [])).join(", ") : "";
  const broken = content.length === 0 ? [`message ${at} is empty`] : [];
  const calls = ids(all[at], "tool-call");
  if (calls !== ids(all[at + 1], "tool-result"))
    return [...broken, `the calls [${calls}] of message ${at} are not answered in the next one`];
  return broken;
}
