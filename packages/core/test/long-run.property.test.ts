import { runs } from "@tooling/test/property";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type EventBatches,
  frozenCopy,
  type Origin,
  type TurnEvent,
} from "../src/adapter/index.ts";
import {
  type Adapter,
  type AssistantBlock,
  appendMessage,
  type Message,
  readTurn,
  type Turn,
  type TurnRequest,
} from "../src/index.ts";
import { acme } from "./acme.ts";
import { delta, end, start, stop } from "./reply.ts";

const here: Origin = { provider: "acme", protocol: "acme", model: "one" };
const elsewhere: Origin = { provider: "other", protocol: "other", model: "two" };

interface Asked {
  readonly request: TurnRequest;
  readonly turn: Turn;
}
/** Asks for a reply with one call of this id. */
async function asked(
  messages: readonly Message[],
  { id = "c1", ...adapter }: Partial<Adapter> & { readonly id?: string } = {},
): Promise<Asked> {
  const sent: TurnRequest[] = [];
  const open: Adapter["open"] = async (request) => {
    sent.push(request);
    return (async function* () {
      yield [start(0, "read", id), delta(0, "{}"), end(0), stop("tool")];
    })() as EventBatches<TurnEvent>;
  };
  const turn = await readTurn(acme({ toolInputEnd: "implicit", ...adapter, open }), { messages });
  const [request] = sent;
  if (request === undefined) throw new Error("nothing was asked");
  return { request, turn };
}

const id = fc.constantFrom("c1", "c2", "call one", "x".repeat(40));
const block = fc.oneof(
  fc
    .constantFrom("plain", "half \ud800")
    .map((text): AssistantBlock => ({ type: "text", text, providerData: "sealed" })),
  fc.tuple(id, fc.option(id)).map(
    ([own, nativeId]): AssistantBlock => ({
      type: "tool-call",
      id: own,
      name: "read",
      inputText: "{}",
      ...(nativeId && { nativeId }),
    }),
  ),
  id.map((opens): AssistantBlock => ({ type: "native", data: { opens }, opens })),
  id.map((closes): AssistantBlock => ({ type: "native", data: { closes }, closes })),
);
const message = fc.oneof(
  fc.constantFrom("Go.", "half \udc00").map((content): Message => ({ role: "user", content })),
  fc
    .tuple(
      fc.array(block, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(here, elsewhere),
      fc.constantFrom("stop", "pause"),
    )
    .map(
      ([content, from, stopReason]): Message => ({ role: "assistant", content, from, stopReason }),
    ),
  fc.array(id, { maxLength: 2 }).map(
    (ids): Message => ({
      role: "tool",
      content: ids.map((one) => ({
        type: "tool-result",
        id: one,
        name: "read",
        content: "half \udc00",
      })),
    }),
  ),
);
/**
 * A history that goes on behind so much of the one before it, as a share of it, and who is asked.
 */
const step = fc.record({
  kept: fc.constantFrom(1, 1, 1, 0.5, 0),
  added: fc.array(message, { maxLength: 4 }),
  target: fc.constantFrom({}, { callIds: { maxLength: 8, allowed: /^\w+$/ } }, { model: "two" }),
});

/** One frozen object for all that say the same: it stands in many histories. */
const pool = new Map<string, Message>();
function pooled(one: Message): Message {
  const said = JSON.stringify(one);
  const known = pool.get(said) ?? frozenCopy(one);
  pool.set(said, known);
  return known;
}

test("a history that continues, shortens or forks is prepared like a new one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      let history: readonly Message[] = [];
      for (const { kept, added, target } of steps) {
        history = [...history.slice(0, Math.ceil(kept * history.length)), ...added.map(pooled)];
        const again = await asked(history, target);
        const first = await asked(structuredClone(history), target);
        expect(again.request).toEqual(first.request);
        expect(again.turn).toEqual(first.turn);
      }
    }),
    { numRuns: runs(600) },
  );
});

/** Counts how often what it says is read. */
function counted(content: string): { readonly message: Message; readonly reads: () => number } {
  let reads = 0;
  const message = Object.freeze({
    role: "user" as const,
    get content(): string {
      reads++;
      return content;
    },
  });
  return { message, reads: () => reads };
}

test("each message of a growing history is read once", async () => {
  const { message: first, reads } = counted("Go.");
  const history: Message[] = [first];
  const lookedAt: number[] = [];
  for (let turn = 0; turn < 20; turn++) {
    const { message: reply } = (await asked(history, { id: `c${turn}` })).turn;
    if (reply === undefined) throw new Error("no message");
    appendMessage(history, reply);
    const [call] = reply.content;
    if (call?.type !== "tool-call") throw new Error("no call");
    appendMessage(history, {
      role: "tool",
      content: [{ type: "tool-result", id: call.id, name: "read", content: "read" }],
    });
    lookedAt.push(reads());
  }
  expect(lookedAt.at(-1)).toBe(lookedAt[0]);
});

test("a message that is not frozen may change between two requests", async () => {
  const changing = { role: "user" as const, content: "half \ud800" };
  const history: readonly Message[] = [
    frozenCopy<Message>({ role: "user", content: "Go." }),
    changing,
  ];
  expect((await asked(history)).request.messages[1]?.content).toBe("half \ufffd");
  changing.content = "now this";
  expect((await asked(history)).request.messages[1]?.content).toBe("now this");
});

test("appendMessage adds a frozen copy and leaves the argument unfrozen", () => {
  const given = { role: "user" as const, content: [{ type: "text" as const, text: "Go." }] };
  const history: Message[] = [];
  appendMessage(history, given);
  given.content[0] = { type: "text", text: "Stop." };
  expect(history).toEqual([{ role: "user", content: [{ type: "text", text: "Go." }] }]);
  expect(Object.isFrozen(history[0]?.content)).toBe(true);
  expect(frozenCopy(history[0])).toBe(history[0]);
});

test("a frozen copy copies plain JSON and keeps other objects", () => {
  const when = new Date(0);
  const bytes = new Uint8Array([1]);
  const shared = { text: "twice" };
  const odd = JSON.parse('{"__proto__":{"a":[1,null]},"b":"c"}') as object;
  const copy = frozenCopy({ odd, when, bytes, list: [shared, shared], none: undefined });
  expect(copy).toEqual({ odd, when, bytes, list: [shared, shared], none: undefined });
  expect(Object.hasOwn(copy.odd, "__proto__")).toBe(true);
  expect(copy.when).toBe(when);
  expect(copy.bytes).toBe(bytes);
  expect(copy.list[0]).toBe(copy.list[1]);
  expect([copy, copy.odd, copy.list, copy.list[0]].every((one) => Object.isFrozen(one))).toBe(true);
  expect(Object.isFrozen(shared)).toBe(false);
});
