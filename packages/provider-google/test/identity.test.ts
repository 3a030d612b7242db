import { readTurn, type Turn } from "@fullstop/core";
import { describe, expect, test } from "vitest";
import { type Chunk, call, chunk, end, text } from "./chunks.ts";
import { serve } from "./server.ts";

const request = { messages: [{ role: "user", content: "Go." }] } as const;
const ask = (chunks: readonly Chunk[]): Promise<Turn> => readTurn(serve(chunks).adapter(), request);
const under = (responseId: string, ...chunks: readonly Chunk[]): readonly Chunk[] =>
  chunks.map((one) => ({ ...one, responseId }));
const called = chunk(call("read", { path: "a" }));
const said = chunk(text("Sorry."));

describe("a second reply behind a call withholds all calls", () => {
  test.for<[string, readonly Chunk[]]>([
    ["with a text", [...under("A", called), ...under("B", said, end("STOP"))]],
    ["with the same call", [...under("A", called), ...under("B", called, end("STOP"))]],
    [
      "of another model, each in one chunk",
      [
        { ...called, responseId: "A", modelVersion: "gemini-3.1-pro" },
        {
          ...end("STOP", { content: { parts: [text("Sorry.")], role: "model" } }),
          responseId: "B",
          modelVersion: "gemini-3.8-flash",
        },
      ],
    ],
    ["in one chunk", [...under("A", said, called), ...under("B", said), end("STOP")]],
  ])("%s", async ([, chunks]) => {
    const turn = await ask(chunks);
    expect(turn).toMatchObject({ stopReason: "interrupted", calls: [] });
    expect("error" in turn && turn.error.message).toContain("A second reply (B) begins");
  });
});

describe("another id alone takes no call away", () => {
  test.for<[string, readonly Chunk[]]>([
    [
      "in every chunk",
      [said, called, called, end("STOP")].map((one, at) => ({ ...one, responseId: `${at}` })),
    ],
    [
      "in every chunk, of which the last comes twice",
      [called, called, end("STOP"), end("STOP")].map((one, at) => ({
        ...one,
        responseId: `${Math.min(at, 2)}`,
      })),
    ],
    ["in the chunk that ends the reply", [...under("A", said, called), ...under("B", end("STOP"))]],
    ["behind a text", [...under("A", said, said), ...under("B", called, end("STOP"))]],
    ["that is empty", [...under("A", said, called), ...under(" ", said), end("STOP")]],
  ])("%s", async ([name, chunks]) => {
    const { stopReason, calls } = await ask(chunks);
    expect([stopReason, calls.length]).toEqual([
      "tool-use",
      name.startsWith("in every chunk") ? 2 : 1,
    ]);
  });
});

test("a call runs if a proxy writes null in place of each member without a value", async () => {
  const nothing = { id: null, partialArgs: null, willContinue: null };
  const part = {
    text: null,
    thought: null,
    thoughtSignature: null,
    functionCall: { ...nothing, name: "read", args: { path: "a" } },
  };
  expect(await ask([chunk(part), end("STOP")])).toMatchObject({
    stopReason: "tool-use",
    calls: [{ name: "read", input: { path: "a" } }],
  });
});

describe("a chunk with a call that comes twice", () => {
  const signed = (thoughtSignature: string): Chunk =>
    chunk(call("read", { path: "a" }, { thoughtSignature }));
  const copied = call("read", { path: "a" }, { thoughtSignature: "c2ln" });
  const placeholders = [
    "skip_thought_signature_validator",
    Buffer.from("skip_thought_signature_validator").toString("base64"),
  ];
  test.for<[string, readonly Chunk[], number]>([
    [
      "runs it once if its signature shows that it is the same",
      [signed("c2ln"), signed("c2ln")],
      1,
    ],
    ["runs both if each has a signature of its own", [signed("c2ln"), signed("b3RoZXI=")], 2],
    ["runs both if nothing tells them apart", [called, called], 2],
    ["runs both if they are in one chunk", [chunk(copied, copied)], 2],
    ["runs both once if this chunk comes twice", [chunk(copied, copied), chunk(copied, copied)], 2],
    ...placeholders.map((placeholder): [string, readonly Chunk[], number] => [
      `runs both if their signature is ${placeholder}`,
      [signed(placeholder), signed(placeholder)],
      2,
    ]),
  ])("%s", async ([, chunks, expected]) => {
    const { stopReason, calls } = await ask([...chunks, end("STOP")]);
    expect([stopReason, calls.length]).toEqual(["tool-use", expected]);
  });
});
