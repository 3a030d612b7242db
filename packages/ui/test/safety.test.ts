import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Run, type RunEvent, type RunOptions, run } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { mock } from "@fullstop/provider-mock";
import { type PublicEvent, sseResponse, uiResponse } from "@fullstop/ui";
import { expect, onTestFinished, test } from "vitest";
import { collect, eventsOf, parsed } from "./events.ts";
import { look } from "./gate.ts";

const signature = "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk";
const redacted = "EmwKAhgBEgy3va3pzix_LafPsn4aDFIT2Xlxh0L5L8rLVyIw";
/** A reply with signed and redacted reasoning. */
const signedReply = [
  { type: "message_start", message: { id: "msg_1", usage: { input_tokens: 5, output_tokens: 1 } } },
  { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } },
  { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature } },
  { type: "content_block_stop", index: 0 },
  {
    type: "content_block_start",
    index: 1,
    content_block: { type: "redacted_thinking", data: redacted },
  },
  { type: "content_block_stop", index: 1 },
  { type: "content_block_start", index: 2, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 2, delta: { type: "text_delta", text: "Yes." } },
  { type: "content_block_stop", index: 2 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } },
  { type: "message_stop" },
];

async function signedRun(options: Partial<RunOptions> = {}): Promise<Run> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of signedReply)
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const adapter = anthropic("claude-haiku-4-5", { baseURL, apiKey: "not-a-key" });
  return run({ adapter, prompt: "Yes?", system: "The system prompt.", ...options });
}

test("signatures, redacted reasoning and the system prompt stay on the server", async () => {
  const sources: RunEvent[] = [];
  const select = (event: PublicEvent, source: RunEvent): object => {
    sources.push(source);
    return event;
  };
  const bodies = [
    await (await sseResponse(await signedRun(), { select })).text(),
    await (await uiResponse(await signedRun())).text(),
  ];
  // The run has them, so that they could have been sent.
  expect(JSON.stringify(sources)).toContain(signature);
  expect(JSON.stringify(sources)).toContain(redacted);
  for (const body of bodies) {
    expect(body).toContain("Hm.");
    expect(body).toContain("Yes.");
    for (const secret of [signature, redacted, "The system prompt."])
      expect(body).not.toContain(secret);
  }
});

test("the conversation and the cost stay on the server", async () => {
  const conversation = run({
    adapter: mock([{ calls: [{ name: "look", input: {} }] }, "Done."]),
    tools: [look],
    messages: [{ role: "user", content: "An earlier secret." }],
    limits: { price: () => 4711 },
  });
  const body = await (await sseResponse(conversation)).text();
  expect(body).not.toContain("An earlier secret.");
  expect(body).not.toContain("4711");
});

test("`select` and `reasoning` decide what is sent", async () => {
  const chosen = await sseResponse(await signedRun(), {
    select: (event) => (event.type === "text" ? { said: event.text } : undefined),
  });
  const events = await collect(eventsOf(chosen));
  expect(events.map(({ data }) => JSON.parse(data))).toEqual([{ said: "Yes." }]);
  const quiet = await (await uiResponse(await signedRun(), { reasoning: false })).text();
  expect(quiet).not.toContain("Hm.");
  expect(quiet).toContain("Yes.");
});

test("a withheld input is marked as withheld wherever it is sent", async () => {
  const cut = { calls: [{ name: "look", inputText: '{"path":"/cut' }], stop: "length" } as const;
  const response = await sseResponse(
    run({
      adapter: mock([cut]),
      tools: [look],
      prompt: "Look.",
      recovery: { requests: 1, notes: 0 },
    }),
  );
  const sent = parsed(await collect(eventsOf(response)));
  const withheld = { name: "look", inputText: '{"path":"/cut', withheld: true };
  expect(sent.find(({ type }) => type === "turn")).toMatchObject({
    turn: {
      calls: [],
      withheld: [withheld],
      explanation: expect.stringContaining("nothing of it ran"),
    },
  });
  expect(sent.at(-1)).toMatchObject({ outcome: { status: "truncated", withheld: [withheld] } });
});

test("what the provider wrote about an error is sent only on request", async () => {
  const words = "org-4711 has no credit";
  const body = JSON.stringify({ type: "error", error: { type: "billing_error", message: words } });
  const fetch = async (): Promise<Response> => new Response(body, { status: 402 });
  const adapter = anthropic("claude-haiku-4-5", { apiKey: "not-a-key", fetch });
  for (const errors of ["kind", "message"] as const)
    for (const respond of [sseResponse, uiResponse]) {
      const sent = await (await respond(run({ adapter, prompt: "Hi." }), { errors })).text();
      expect(sent.includes(words)).toBe(errors === "message");
      if (respond === sseResponse) expect(sent).toContain('"kind":"billing"');
    }
});

test("what JSON cannot hold does not end the stream", async () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const progress = {
    ...look,
    async *execute() {
      yield cycle;
      yield 10n;
      return "done";
    },
  };
  const script = [{ calls: [{ name: "look", input: {} }] }, "Done."];
  const start = (): Run => run({ adapter: mock(script), tools: [progress], prompt: "Look." });
  const sent = parsed(await collect(eventsOf(await sseResponse(start()))));
  const reports = sent.filter(({ type }) => type === "tool-progress");
  expect(reports).toHaveLength(2);
  for (const report of reports)
    expect(report).toHaveProperty("error", expect.stringContaining("cannot be sent as JSON"));
  expect(sent.at(-1)).toMatchObject({ type: "end", outcome: { status: "done" } });
  const body = await (await uiResponse(start())).text();
  expect(body).toContain("Done.");
  expect(body).toMatch(/data: \[DONE\]\n\n$/);
});

test("`onEnd` is called before the client learns of the end, also without a client", async () => {
  const order: string[] = [];
  const onEnd = async (): Promise<void> => {
    await new Promise(setImmediate);
    order.push("stored");
  };
  const response = await sseResponse(run({ adapter: mock(["Hi."]), prompt: "Hi?" }), { onEnd });
  for await (const { data } of eventsOf(response)) order.push(JSON.parse(data).type);
  expect(order.slice(-2)).toEqual(["stored", "end"]);
});

test("if `onEnd` throws, the client gets a failure instead of an end", async () => {
  const seen: unknown[] = [];
  const onError = (thrown: unknown): string => {
    seen.push(thrown);
    return "Not stored.";
  };
  const onEnd = (): never => {
    throw new Error("The database is gone.");
  };
  const options = { onEnd, onError };
  const response = await sseResponse(run({ adapter: mock(["Hi."]), prompt: "Hi?" }), options);
  const sent = parsed(await collect(eventsOf(response)));
  expect(sent.at(-1)).toEqual({ type: "failure", message: "Not stored." });
  expect(sent.map(({ type }) => type)).not.toContain("end");
  expect(seen).toMatchObject([{ message: "The database is gone." }]);
});
