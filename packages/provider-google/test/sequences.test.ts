import { createGate, type Message, readTurn, type Turn, type TurnRequest } from "@fullstop/core";
import { google } from "@fullstop/provider-google";
import { describe, expect, test } from "vitest";
import { bytes, type Chunk, call, chunk, end, type Part, reply, text } from "./chunks.ts";
import { serve, sseResponse } from "./server.ts";

const user: Message = { role: "user", content: "Go." };
const ask = (
  chunks: readonly Chunk[] | string,
  request: Partial<TurnRequest> = {},
): Promise<Turn> =>
  readTurn(serve(chunks).adapter(), { messages: [user], maxTokens: 100, ...request });
const outline = ({ stopReason, calls }: Turn): readonly string[] => [
  stopReason,
  ...calls.map(({ name }) => name),
];

const stop = end("STOP", { content: { parts: [], role: "model" } });
const callAndStop = (name: string): Chunk =>
  end("STOP", { content: { parts: [call(name, { path: name })], role: "model" } });
const textAndStop = end("STOP", { content: { parts: [text("Reading.")], role: "model" } });

describe("difficult replies", () => {
  test("a call and its STOP may come in one chunk or in two", async () => {
    expect(outline(await ask([chunk(call("read", { path: "a" })), stop]))).toEqual([
      "tool-use",
      "read",
    ]);
    expect(outline(await ask([callAndStop("read")]))).toEqual(["tool-use", "read"]);
  });

  test("of a STOP before the content and one after it, the last counts", async () => {
    const content = [chunk(text("Reading.")), chunk(call("read", {}))];
    expect(outline(await ask([stop, ...content, stop]))).toEqual(["tool-use", "read"]);
    expect(outline(await ask([stop, chunk(text("Reading.")), callAndStop("read")]))).toEqual([
      "tool-use",
      "read",
    ]);
    expect(outline(await ask([stop, ...content]))).toEqual(["interrupted"]);
  });

  test("a reply whose connection breaks after a STOP is interrupted", async () => {
    const whole = [stop, chunk(text("Reading.")), stop].map(
      (event) => `data: ${JSON.stringify(event)}\n\n`,
    );
    for (const length of [1, 3]) {
      const left = whole.slice(0, length);
      const pull = (body: ReadableStreamDefaultController<Uint8Array>): void => {
        const next = left.shift();
        if (next === undefined) body.error(new TypeError("terminated"));
        else body.enqueue(new TextEncoder().encode(next));
      };
      const fetch = async (): Promise<Response> => new Response(new ReadableStream({ pull }));
      expect(
        outline(
          await readTurn(google("gemini-3.1-pro", { apiKey: "key", fetch }), { messages: [user] }),
        ),
      ).toEqual(["interrupted"]);
    }
  });

  test("a reply ends only when the connection is closed", async () => {
    const gate = createGate(google("gemini-3.1-pro"));
    for (const event of [callAndStop("read"), stop]) gate.push(event);
    expect(gate.state).toBe("open");
    const held = (...chunks: readonly Chunk[]): (() => Response) => {
      const start = (body: ReadableStreamDefaultController<Uint8Array>): void =>
        body.enqueue(new TextEncoder().encode(bytes(chunks)));
      return () => sseResponse(new ReadableStream({ start }));
    };
    const silent = await readTurn(
      serve(held(callAndStop("read"))).adapter(),
      { messages: [user] },
      { idleMs: 20 },
    );
    expect(silent).toMatchObject({
      stopReason: "interrupted",
      calls: [],
      error: { kind: "timeout" },
    });
  });

  test("a reply with STOP on every chunk, cut between two parallel calls, runs no call", async () => {
    expect(outline(await ask([textAndStop, callAndStop("read")]))).toEqual(["interrupted"]);
    expect(outline(await ask([callAndStop("read"), callAndStop("list")]))).toEqual(["interrupted"]);
    expect(
      outline(await ask([textAndStop, callAndStop("read"), callAndStop("list"), stop])),
    ).toEqual(["tool-use", "read", "list"]);
  });

  test("the last STOP counts if a chunk with content came without one", async () => {
    expect(outline(await ask([chunk(text("So. ")), textAndStop, callAndStop("read")]))).toEqual([
      "tool-use",
      "read",
    ]);
    expect(outline(await ask([textAndStop, chunk(text("So. ")), callAndStop("read")]))).toEqual([
      "tool-use",
      "read",
    ]);
    expect(outline(await ask([textAndStop, chunk(call("read", {}))]))).toEqual(["interrupted"]);
  });

  test("an option accepts STOP on every chunk, and the error names it", async () => {
    const stamped = [textAndStop, callAndStop("read"), callAndStop("list")];
    const doubted = await ask(stamped);
    expect("error" in doubted && doubted.error.message).toContain('finishReason: "every-chunk"');
    const everyChunk = (chunks: readonly Chunk[]): Promise<Turn> =>
      readTurn(serve(chunks).adapter({ finishReason: "every-chunk" }), {
        messages: [user],
        maxTokens: 100,
      });
    expect(outline(await everyChunk(stamped))).toEqual(["tool-use", "read", "list"]);
    expect(outline(await everyChunk([textAndStop, textAndStop]))).toEqual(["stop"]);
    expect(outline(await everyChunk([...stamped, chunk(text("And"))]))).toEqual(["interrupted"]);
    expect(
      outline(
        await everyChunk([
          ...stamped,
          end("STOP", { content: { parts: [{ executableCode: { code: "1" } }] } }),
        ]),
      ),
    ).toEqual(["interrupted"]);
  });

  test("an empty finish reason does not count as one", async () => {
    const blank = end("null", { content: { parts: [text("So. ")], role: "model" } });
    expect(outline(await ask([blank, blank, callAndStop("read")]))).toEqual(["tool-use", "read"]);
  });

  test("results without ids close their steps in order, and a step may have several", async () => {
    const [code, result] = [
      { executableCode: { code: "1" } },
      { codeExecutionResult: { outcome: "OUTCOME_OK" } },
    ];
    expect(outline(await ask(reply("STOP", code, code, result, result, text("1"))))).toEqual([
      "stop",
    ]);
    expect(outline(await ask(reply("STOP", code, result, result, text("1"))))).toEqual(["stop"]);
    expect(outline(await ask(reply("STOP", code, code, result, text("1"))))).toEqual([
      "interrupted",
    ]);
  });

  test("CONTINUATION keeps its token, and the same request is sent again with it", async () => {
    const paused = [chunk(text("So ")), end("CONTINUATION", { continuationToken: "dG9rZW4=" })];
    const again = [chunk(text("far ")), end("CONTINUATION", { continuationToken: "dG9rZW4y" })];
    const server = serve(
      paused,
      again,
      reply("STOP", text("so good.")),
      reply("STOP", text("Yes.")),
    );
    const messages: Message[] = [user];
    for (const reason of ["pause", "pause", "stop"]) {
      const turn = await readTurn(server.adapter(), {
        messages: [...messages],
        system: "Be brief.",
      });
      expect(turn.stopReason).toBe(reason);
      messages.push(turn.message as Message);
    }
    expect(messages[1]).toMatchObject({ stopReason: "pause", resume: "dG9rZW4=" });
    const [first, second, third] = server.requests.map(({ body }) => body);
    expect(second).toEqual({ ...first, continuationToken: "dG9rZW4=" });
    expect(third).toEqual({ ...first, continuationToken: "dG9rZW4y" });
    await readTurn(server.adapter(), { messages: [...messages, user] });
    expect(server.requests[3]?.body.contents).toEqual([
      { role: "user", parts: [{ text: "Go." }] },
      { role: "model", parts: [{ text: "So " }, { text: "far " }, { text: "so good." }] },
      { role: "user", parts: [{ text: "Go." }] },
    ]);
    expect(server.requests[3]?.body.continuationToken).toBeUndefined();
  });

  test("the token of a checkpoint before the end is kept", async () => {
    const checkpoint = {
      candidates: [
        { content: { parts: [text("So")], role: "model" }, continuationToken: "dG9rZW4=" },
      ],
    };
    expect((await ask([checkpoint, end("CONTINUATION")])).message?.resume).toBe("dG9rZW4=");
  });

  test("another model gets a new request, with the reply so far", async () => {
    const server = serve(reply("STOP", text("Yes.")));
    const from = {
      provider: "google",
      protocol: "gemini-generate-content",
      model: "gemini-2.5-pro",
    };
    const paused: Message = {
      role: "assistant",
      from,
      content: [{ type: "text", text: "So" }],
      stopReason: "pause",
      resume: "dG9rZW4=",
    };
    await readTurn(server.adapter(), { messages: [user, paused] });
    expect(server.requests[0]?.body.continuationToken).toBeUndefined();
    expect(server.requests[0]?.body.contents.map(({ role }: { role: string }) => role)).toEqual([
      "user",
      "model",
      "user",
    ]);
  });

  test("thoughts and the answer count against the cap", async () => {
    const counted = (thoughtsTokenCount: number): Promise<Turn> =>
      ask([
        chunk(call("read", {})),
        end("STOP", {}, { promptTokenCount: 9, candidatesTokenCount: 20, thoughtsTokenCount }),
      ]);
    expect((await counted(79)).usage).toMatchObject({ input: 9, output: 99 });
    expect(outline(await counted(79))).toEqual(["tool-use", "read"]);
    expect((await counted(80)).withheld).toMatchObject([{ reason: "cap-reached" }]);
  });

  test("a default value is not a reason, in any chunk", async () => {
    const withDefaults = (...parts: readonly Part[]): Chunk => ({
      candidates: [
        { content: { parts, role: "model" }, index: 0, finishReason: "FINISH_REASON_UNSPECIFIED" },
      ],
      promptFeedback: { blockReason: "BLOCKED_REASON_UNSPECIFIED" },
    });
    const chunks = [withDefaults(text("Hi.")), withDefaults(call("read", {}))];
    expect(outline(await ask([...chunks, end("STOP")]))).toEqual(["tool-use", "read"]);
    expect(outline(await ask(chunks))).toEqual(["interrupted"]);
    expect(outline(await ask(reply("FINISH_REASON_UNSPECIFIED", call("read", {}))))).toEqual([
      "interrupted",
    ]);
  });

  test("calls without ids, or with repeated ids, get ids that are unique in the history", async () => {
    const server = serve(
      ...Array.from({ length: 3 }, () =>
        reply("STOP", call("read", {}), { functionCall: { id: "same", name: "list" } }),
      ),
    );
    const messages: Message[] = [user];
    for (let turns = 0; turns < 3; turns++) {
      const { message, calls } = await readTurn(server.adapter(), { messages });
      messages.push(message as Message, {
        role: "tool",
        content: calls.map(({ id, name }) => ({
          type: "tool-result",
          id,
          name,
          content: `${turns}`,
        })),
      });
    }
    const ids = messages.flatMap((one) =>
      one.role === "tool" ? one.content.map(({ id }) => id) : [],
    );
    expect(new Set(ids).size).toBe(6);
  });

  test("a call in a second candidate is not lost, and beside a call it is another answer", async () => {
    const two = (first: object, second: object): Chunk => ({
      candidates: [first, second].map((part, index) => ({
        index,
        content: { parts: [part], role: "model" },
      })),
    });
    const lost = await ask([two(text("I look."), call("list")), stop]);
    expect(lost).toMatchObject({
      stopReason: "interrupted",
      calls: [],
      error: { message: expect.stringContaining("only in another candidate") },
    });
    const read = call("read", { path: "a" });
    for (const second of [text("Other."), call("list")])
      expect(outline(await ask([two(read, second), stop]))).toEqual(["tool-use", "read"]);
  });
});
