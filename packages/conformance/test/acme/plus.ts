import { type Adapter, sse } from "@fullstop/core";
import type { AdapterSubject, Wire } from "../../src/index.ts";
import sound from "./wire.ts";

type PlusEvent =
  | { readonly say: "failed"; readonly code: string; readonly text: string }
  | { readonly say: "memo"; readonly id: string }
  | { readonly say: undefined };

/** Acme with all that a protocol may have: errors inside replies, blocks of its own, an end of its own, rules for requests. Its requests are the core's, as JSON. */
const adapter: AdapterSubject["adapter"] = (endpoint): Adapter => {
  const acme = sound.adapter(endpoint);
  const { fetch = globalThis.fetch, baseURL } = endpoint;
  return {
    ...acme,
    stops: { ...acme.stops, halted: { stop: "stop", calls: "never" } },
    errors: { busy: "overloaded" },
    callIds: { maxLength: 40, allowed: /^[\w-]+$/ },
    open: async (request, signal) => sse(await fetch(`${baseURL}/chat`, { method: "POST", body: JSON.stringify(request), signal })),
    decoder: (emit) => {
      const decode = acme.decoder((event) => emit(event.type === "stop" ? { ...event, provisional: false } : event));
      return (native) => {
        const event = native as PlusEvent;
        if (event.say === "failed") emit({ type: "error", native: event.code, message: event.text });
        else if (event.say === "memo") emit({ type: "native", data: event });
        else decode(native);
      };
    },
  };
};

interface Block {
  readonly type: string;
  readonly id: string;
}
interface Said {
  readonly role: string;
  readonly content: readonly Block[];
}
const ids = (message: Said | undefined, type: string): readonly string[] =>
  typeof message?.content === "object" ? message.content.filter((block) => block.type === type).map(({ id }) => id) : [];

function violations(body: unknown): readonly string[] {
  const { messages } = body as { readonly messages: readonly Said[] };
  const all = messages.flatMap((message) => ids(message, "tool-call"));
  return [
    ...all.filter((id) => !/^[\w-]{1,40}$/.test(id)).map((id) => `the id ${id}`),
    ...(new Set(all).size === all.length ? [] : ["an id twice"]),
    ...messages
      .filter((message, n) => String(ids(message, "tool-call")) !== String(ids(messages[n + 1], "tool-result")))
      .map(({ role }) => `${role}: a call without its result`),
  ];
}

const memo = { say: "memo", id: "memo_1" };
const wire: Wire = {
  ...sound.wire,
  name: "acme-plus",
  ends: true,
  errors: [{ frame: '{"say":"failed","code":"busy","text":"Too busy."}', kind: "overloaded" }],
  failures: [400, 429, 500].map((status) => ({ status, body: '{"error":{"code":"busy","message":"Too busy."}}', kind: "overloaded" })),
  samples: [
    {
      name: "a block of its own",
      frames: {
        upToTerminal: [memo, { say: "text", text: "Noted." }, { say: "end", why: "done", tokens: { in: 1, out: 2 } }].map((event) =>
          JSON.stringify(event),
        ),
      },
      turn: { stopReason: "stop", calls: [] },
      replays: [memo],
    },
    {
      name: "a whole call, and the word after which none runs",
      frames: sound.wire.frames({ blocks: [{ name: "read", id: "call_1", input: { path: "a" } }], stop: "halted", output: 3 }),
      turn: { stopReason: "stop", calls: [] },
    },
  ],
  violations,
};

const plus: AdapterSubject = { wire, adapter };
export default plus;
