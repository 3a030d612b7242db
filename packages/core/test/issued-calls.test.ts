import { describe, expect, expectTypeOf, test } from "vitest";
import { defineAdapter, refuseCap } from "../src/adapter/index.ts";
import {
  createGate,
  isToolCall,
  restoreTurn,
  type ToolCall,
  toProviderError,
} from "../src/index.ts";
import { acme } from "./acme.ts";
import { native, read, settle, stop, text, usage } from "./reply.ts";

const turn = settle([
  text("I read."),
  native({ deep: { list: [1] } }),
  read,
  usage(5),
  stop("tool"),
]);
const [call] = turn.calls;
if (call === undefined) throw new Error("the reply has a call");

describe("a call that may run", () => {
  test("is the same object that the gate issued", () => {
    expect(isToolCall(call)).toBe(true);
    expect(isToolCall({ ...call })).toBe(false);
    expect(isToolCall({ ...call, input: { path: "/" } })).toBe(false);
    expect(isToolCall(structuredClone({ ...call }))).toBe(false);
    expect(isToolCall(null)).toBe(false);
    const [restored] = restoreTurn(JSON.parse(JSON.stringify(turn))).calls;
    expect(isToolCall(restored)).toBe(true);
  });

  test("has a type that neither a literal nor a copy has", () => {
    expectTypeOf<{
      id: string;
      name: string;
      input: Record<string, unknown>;
    }>().not.toExtend<ToolCall>();
    const copy = { ...call, input: {} };
    expectTypeOf(copy).not.toExtend<ToolCall>();
  });

  test("is in a turn that cannot be changed at any depth", () => {
    const parts: unknown[] = [
      turn,
      turn.calls,
      call,
      call.input,
      turn.message,
      turn.message?.content,
      ...(turn.message?.content ?? []),
    ];
    expect(parts.map((part) => Object.isFrozen(part))).toEqual(parts.map(() => true));
    expect(() => Object.assign(turn.calls, { 0: { ...call, input: {} } })).toThrow(TypeError);
    const block = turn.message?.content.find(({ type }) => type === "native");
    expect(() =>
      (block as unknown as { data: { deep: { list: number[] } } }).data.deep.list.push(2),
    ).toThrow(TypeError);
  });
});

describe("a gate of one's own", () => {
  test("refuses members that it does not know", () => {
    expect(() => createGate(acme(), { max_tokens: 20 } as never)).toThrow(
      "Unknown option `max_tokens` of `createGate`. The options are: maxTokens, messages, tools, output, body, system, toolChoice, effort, cache.",
    );
    expect(() => createGate(acme(), { body: { max_tokens: 20 } })).toThrow(/cannot read `body`/);
    expect(() => createGate(acme({ capRequired: true }))).toThrow(/needs the output cap/);
  });

  test("takes errors that were read: another value could be taken for a lost connection", () => {
    const gate = createGate(acme());
    const refused = Object.assign(new Error("no key"), { status: 401 });
    expect(() => gate.fail(refused as never)).toThrow(
      "`gate.fail` takes a `ProviderError`. Make one with `toProviderError(thrown, reader)`.",
    );
    gate.fail(toProviderError(refused));
    expect(gate.end()).toMatchObject({ stopReason: "error", error: { kind: "auth" } });
  });

  test("reads the cap and the tools from a request body", () => {
    const readSent = (body: unknown) => ({
      maxTokens: (body as { max_tokens: number }).max_tokens,
    });
    const gate = createGate(acme({ capRequired: true, readSent }), { body: { max_tokens: 5 } });
    for (const event of [...read, usage(5), stop("tool")]) gate.push(event);
    expect(gate.end()).toMatchObject({
      stopReason: "length",
      withheld: [{ reason: "cap-reached" }],
    });
  });

  test("names its protocol if it knows none of the events", () => {
    const other = defineAdapter<unknown>({ ...acme(), decoder: () => () => undefined });
    const gate = createGate(other);
    gate.push({ choices: [] });
    const ended = gate.end();
    expect(ended).toMatchObject({
      stopReason: "interrupted",
      error: { kind: "cut", message: expect.stringContaining("protocol acme") },
    });
  });

  test.each([
    ["the reply ends", undefined],
    ["the connection is reset after the protocol's own end", new Error("reset")],
  ])("calls `settle` and withholds all calls if it throws, when %s", (_, transportError) => {
    const gapped = acme();
    const gate = createGate({
      ...gapped,
      decoder: (emit) =>
        Object.assign(gapped.decoder(emit), {
          settle: () => {
            throw new Error("index 1 is missing");
          },
        }),
    });
    for (const event of [...read, stop("tool", false)]) gate.push(event);
    if (transportError !== undefined) gate.fail(toProviderError(transportError));
    expect(gate.end()).toMatchObject({
      stopReason: "interrupted",
      calls: [],
      withheld: [{ reason: "malformed-frame" }],
    });
  });
});

test("a cap in `params` is refused, and the error says where to set it", () => {
  expect(() => refuseCap({ temperature: 1, max_tokens: 20 }, ["max_tokens"])).toThrow(
    /params\.max_tokens.*default: 20/,
  );
  expect(() => refuseCap({ temperature: 1, max_tokens: undefined }, ["max_tokens"])).not.toThrow();
  expect(() => refuseCap(undefined, ["max_tokens"])).not.toThrow();
});
