import { type GuardOptions, type GuardReport, guard } from "@fullstop/guard";
import { sseResponse } from "@tooling/test/fake-server";
import { expect, test } from "vitest";
import { callBlock, messageEnd, messageStart } from "./messages.ts";

const uncounted =
  messageStart + callBlock(0, "toolu_1", '{"path":"a"}') + messageEnd("tool_use", 0);

/** What became of a reply from an address. */
async function through(
  url: string,
  reply: string,
  { model = "m", ...options }: GuardOptions & { readonly model?: string } = {},
): Promise<GuardReport | undefined> {
  const reports: GuardReport[] = [];
  const send = guard(async () => sseResponse(reply), {
    ...options,
    onReply: (report) => void reports.push(report),
  });
  const body = { model, max_tokens: 1024, stream: true, messages: [] };
  const response = await send(url, { method: "POST", body: JSON.stringify(body) });
  await response.text();
  return reports[0];
}

test.each([
  ["http://127.0.0.1:4000/v1/messages", "litellm"],
  ["http://localhost:11434/v1/messages", "ollama"],
  ["http://localhost:8000/v1/messages", "vllm"],
])("%s is read as %s: a call without a usage is held back", async (url, provider) => {
  const report = await through(url, uncounted);
  expect([report?.action, report?.turn.stopReason]).toEqual(["ended", "length"]);
  expect(report?.turn.message?.from?.provider ?? provider).toBe(provider);
});

test("an option names the host at any address, and a host of Chat alone is read as the vendor", async () => {
  const url = "https://llm.example/v1/messages";
  expect((await through(url, uncounted))?.action).toBe("passed");
  const named = (dialect: "litellm" | "groq") => ({ host: () => ({ dialect }) });
  expect((await through(url, uncounted, named("litellm")))?.action).toBe("ended");
  expect((await through(url, uncounted, named("groq")))?.action).toBe("passed");
});

test("a stream of the Vercel AI Gateway that it never ends says where to go", async () => {
  const cut = messageStart + callBlock(0, "toolu_1", '{"path":"a"}');
  const report = await through("https://ai-gateway.vercel.sh/v1/messages", cut, {
    model: "openai/gpt-5.6-terra",
  });
  const { turn } = report as GuardReport;
  expect("error" in turn && turn.error.message).toContain("Use its Responses");
});

test("an input that is a text goes out as JSON, as clients read it", async () => {
  const block = { type: "tool_use", id: "toolu_1", name: "read", input: '{"path":"a"}' };
  const start = { type: "content_block_start", index: 0, content_block: block };
  const stop = { type: "content_block_stop", index: 0 };
  const events = [start, stop].map(
    (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}`,
  );
  const reply = `${messageStart}${events.join("\n\n")}\n\n${messageEnd("tool_use", 7)}`;
  const report = await through("https://llm.example/v1/messages", reply);
  expect([report?.action, report?.turn.calls[0]?.input]).toEqual(["rewritten", { path: "a" }]);
});
