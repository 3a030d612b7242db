import { type GuardOptions, type GuardReport, guard, knownHosts } from "@fullstop/guard";
import { sseResponse } from "@tooling/test/fake-server";
import { expect, test } from "vitest";
import { startServer } from "./server.ts";

const chunk = (delta: object, reason: string | null, more: object = {}): string =>
  `data: ${JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "gpt-5.5",
    choices: [{ index: 0, delta, finish_reason: reason }],
    ...more,
  })}\n\n`;
const call = {
  index: 0,
  id: "call_1",
  type: "function",
  function: { name: "go", arguments: "{}" },
};
const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };
/** A call under a blank stop reason, with a usage report and `[DONE]`. */
const blank = `${chunk({ role: "assistant", tool_calls: [call] }, null)}${chunk({}, "")}${chunk({}, null, { choices: [], usage })}data: [DONE]\n\n`;

async function replyThrough(options: GuardOptions): Promise<string> {
  const server = await startServer(() => ({ chunks: [blank] }));
  try {
    const response = await guard(fetch, options)(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        model: "gpt-5.5",
        stream: true,
        messages: [{ role: "user", content: "Go." }],
        tools: [{ type: "function", function: { name: "go", parameters: { type: "object" } } }],
      }),
    });
    return await response.text();
  } finally {
    await server.close();
  }
}

test.each(["openai", "mistral"])(
  "%s never leaves the stop reason out, also behind another address",
  async (name) => {
    const facts = knownHosts[name]?.facts;
    expect(facts).toBeDefined();
    expect(await replyThrough({})).not.toContain("call_1");
    expect(await replyThrough({ host: () => ({ doneEnds: true }) })).toContain("call_1");
    expect(await replyThrough({ host: () => facts })).not.toContain("call_1");
  },
);

/** What becomes of a reply from an address. */
async function reportOf(address: string, reply: string): Promise<GuardReport | undefined> {
  let report: GuardReport | undefined;
  const onReply = (given: GuardReport): void => {
    report = given;
  };
  const send = guard(async () => sseResponse(reply), { onReply });
  const body = { model: "m", stream: true, messages: [], input: [], max_output_tokens: 1000 };
  await (await send(address, { method: "POST", body: JSON.stringify(body) })).text();
  return report;
}

const responseOf = (item: object, output: number, reasoning: number): string =>
  [
    { type: "response.output_item.done", output_index: 0, item },
    {
      type: "response.completed",
      response: {
        status: "completed",
        output: [item],
        usage: {
          input_tokens: 5,
          output_tokens: output,
          output_tokens_details: { reasoning_tokens: reasoning },
        },
      },
    },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");

/** A region has a name before the host. */
const xai = ["api.x.ai", "us-east-1.api.x.ai"];
const openrouter = ["openrouter.ai/api", "eu.openrouter.ai/api"];

test.each([...xai, ...openrouter])(
  "%s: reasoning that may not count toward the cap cuts no call over Responses",
  async (host) => {
    const item = { type: "function_call", id: "fc_1", call_id: "call_1", name: "go" };
    const whole = { ...item, arguments: "{}", status: "completed" };
    const report = await reportOf(`https://${host}/v1/responses`, responseOf(whole, 1200, 1190));
    expect([report?.action, report?.turn.calls.length]).toEqual(["passed", 1]);
    const cut = await reportOf(`https://${host}/v1/responses`, responseOf(whole, 1200, 100));
    expect([cut?.action, cut?.turn.stopReason]).toEqual(["ended", "length"]);
  },
);

test.each(xai)("%s runs custom tools itself", async (host) => {
  const item = { type: "custom_tool_call", id: "ctc_1", call_id: "xs_1", name: "x_search" };
  const step = { ...item, input: "cats", status: "completed" };
  const report = await reportOf(`https://${host}/v1/responses`, responseOf(step, 20, 0));
  expect([report?.action, report?.turn.stopReason]).toEqual(["passed", "stop"]);
});

test.each(xai)("%s may leave the stop reason out of Chat Completions", async (host) => {
  const report = await reportOf(`https://${host}/v1/chat/completions`, blank);
  expect([report?.action, report?.turn.calls.length]).toEqual(["passed", 1]);
});

test.each([
  ["open.bigmodel.cn/api/paas/v4", "glm"],
  ["dashscope.aliyuncs.com/compatible-mode/v1", "qwen"],
  ["api.moonshot.cn/v1", "kimi"],
  ["api.siliconflow.cn/v1", "siliconflow"],
])("%s is the address of %s in China", async (address, provider) => {
  const report = await reportOf(
    `https://${address}/chat/completions`,
    `${chunk({ content: "Hi." }, "stop")}data: [DONE]\n\n`,
  );
  expect(report?.turn.message?.from).toMatchObject({ provider });
});

test.each([
  ["open.bigmodel.cn/api/anthropic", "glm"],
  ["api.moonshot.cn/anthropic", "kimi"],
  ["api.minimaxi.com/anthropic", "minimax"],
])("%s is the address of %s in China, over Messages", async (address, provider) => {
  const reply = {
    type: "message",
    id: "msg_1",
    role: "assistant",
    content: [{ type: "text", text: "Hi." }],
    stop_reason: "end_turn",
    usage: { input_tokens: 5, output_tokens: 5 },
  };
  const event = `event: message\ndata: ${JSON.stringify(reply)}\n\n`;
  const report = await reportOf(`https://${address}/v1/messages`, event);
  expect(report?.turn.message?.from).toMatchObject({ provider });
});
