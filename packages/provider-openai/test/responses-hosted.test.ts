import { createGate, type Message, readTurn, type ToolResultBlock } from "@fullstop/core";
import { type OpenAIOptions, openai } from "@fullstop/provider-openai";
import type { SentRequest as Sent } from "@tooling/test/fake-server";
import {
  call,
  callEvents,
  done,
  type Item,
  message,
  messageEvents,
  reasoning,
  reasoningEvents,
  reply,
} from "@tooling/test/openai-responses";
import { describe, expect, test } from "vitest";
import { serve } from "./responses-server.ts";

const user: Message = { role: "user", content: "Go." };
type Result = Partial<Pick<ToolResultBlock, "content" | "isError">>;

/**
 * What goes back after the first message, for a reply that ends with this item: the item and its
 * result.
 */
async function returned(
  item: Item,
  result: Result,
  before: readonly (typeof item)[] = [],
): Promise<Sent["body"]> {
  const events = reply(...before.map((thought, at) => reasoningEvents(at, thought, "hm")), [
    done(before.length, item),
  ]);
  const server = serve(events, reply(messageEvents(0, "ok")));
  const turn = await readTurn(server.adapter(), { messages: [user] });
  expect(turn.stopReason).toBe("tool-use");
  const results = turn.calls.map(
    ({ id, name }): ToolResultBlock => ({
      type: "tool-result",
      id,
      name,
      content: "ok",
      ...result,
    }),
  );
  const sent = JSON.parse(JSON.stringify(turn.message));
  await readTurn(server.adapter(), { messages: [user, sent, { role: "tool", content: results }] });
  return server.requests[1]?.body.input.slice(1);
}

const patch = {
  type: "apply_patch_call",
  call_id: "c",
  status: "completed",
  operation: { type: "delete_file", path: "a" },
};
const shell = {
  type: "shell_call",
  call_id: "c",
  status: "completed",
  environment: null,
  action: { commands: ["ls"], timeout_ms: null, max_output_length: null },
};
const check = { id: "sc_1", code: "x", message: "Look." };
const computer = {
  type: "computer_call",
  id: "cc_1",
  call_id: "c",
  status: "completed",
  actions: [{ type: "screenshot" }],
  pending_safety_checks: [check],
};
const search = {
  type: "tool_search_call",
  id: "ts_1",
  call_id: "c",
  status: "completed",
  execution: "client",
  arguments: { query: "dice" },
};
const approval = {
  type: "mcp_approval_request",
  id: "mcpr_1",
  server_label: "dice",
  name: "roll",
  arguments: "{}",
};
const image = { type: "image", mediaType: "image/png", data: "AAAA" } as const;
const tool = { type: "function", name: "roll", parameters: {} };

describe("the result of a hosted tool goes back as its result item", () => {
  test("a patch, done or failed", async () => {
    const answer = { type: "apply_patch_call_output", call_id: "c" };
    expect(await returned(patch, {})).toEqual([
      patch,
      { ...answer, status: "completed", output: "ok" },
    ]);
    const failed = { ...answer, status: "failed", output: "No such file." };
    expect(await returned(patch, { content: "No such file.", isError: true })).toEqual([
      patch,
      failed,
    ]);
  });

  test("a shell: the text is the output; a tool may return the output of each command", async () => {
    const answer = { type: "shell_call_output", call_id: "c" };
    const exit = (exit_code: number) => ({ type: "exit", exit_code });
    expect(await returned(shell, {})).toEqual([
      shell,
      { ...answer, output: [{ stdout: "ok", stderr: "", outcome: exit(0) }] },
    ]);
    const failed = { ...answer, output: [{ stdout: "", stderr: "No.", outcome: exit(1) }] };
    expect(await returned(shell, { content: "No.", isError: true })).toEqual([shell, failed]);
    const output = [{ stdout: "a", stderr: "", outcome: { type: "timeout" } }];
    for (const sent of [output, { output }]) {
      expect(await returned(shell, { content: JSON.stringify(sent) })).toEqual([
        shell,
        { ...answer, output },
      ]);
    }
    const limited = {
      ...shell,
      action: { ...shell.action, max_output_length: 9 },
      caller: { type: "program", caller_id: "p" },
    };
    expect((await returned({ ...limited, status: "in_progress" }, {}))[1]).toMatchObject({
      max_output_length: 9,
      caller: limited.caller,
    });
    const local = {
      type: "local_shell_call",
      id: "lsh_1",
      call_id: "c",
      status: "completed",
      action: { type: "exec", command: ["ls"] },
    };
    expect(await returned(local, {})).toEqual([
      local,
      { type: "local_shell_call_output", id: "c", output: "ok" },
    ]);
  });

  test("a computer: the screenshot with the acknowledged checks; a result without a screenshot goes back as text", async () => {
    const screenshot = { type: "computer_screenshot", image_url: "data:image/png;base64,AAAA" };
    expect(await returned(computer, { content: [image] })).toEqual([
      computer,
      {
        type: "computer_call_output",
        call_id: "c",
        output: screenshot,
        acknowledged_safety_checks: [check],
      },
    ]);
    const uploaded = { type: "image", fileId: "file_1", provider: "openai" } as const;
    expect((await returned(computer, { content: [uploaded] }))[1]).toMatchObject({
      output: { type: "computer_screenshot", file_id: "file_1" },
    });
    const asFunction = { type: "function_call", call_id: "c", name: "computer" };
    for (const result of [
      { content: "It is off." },
      { content: [image, { type: "text", text: "It is off." } as const], isError: true },
    ]) {
      const [sent, answer] = await returned(computer, result);
      expect(sent).toMatchObject(asFunction);
      expect(JSON.parse(sent.arguments)).toEqual({
        actions: computer.actions,
        pending_safety_checks: [check],
      });
      expect(answer).toMatchObject({ type: "function_call_output", call_id: "c" });
    }
  });

  test("a tool search: a list of tools, bare or under `tools`; any other result goes back as text", async () => {
    const { id: _, ...item } = search;
    const answer = { type: "tool_search_output", call_id: "c", execution: "client", tools: [tool] };
    for (const sent of [[tool], { tools: [tool] }])
      expect(await returned(search, { content: JSON.stringify(sent) })).toEqual([item, answer]);
    expect((await returned(search, { content: "None." }))[1]).toEqual({
      type: "function_call_output",
      call_id: "c",
      output: "None.",
    });
  });

  test("an approval: only `approve` is a yes", async () => {
    const answer = { type: "mcp_approval_response", approval_request_id: "mcpr_1" };
    expect(await returned(approval, { content: "approve" })).toEqual([
      approval,
      { ...answer, approve: true },
    ]);
    expect((await returned(approval, { content: "deny" }))[1]).toEqual({
      ...answer,
      approve: false,
    });
    expect(
      (await returned(approval, { content: "deny: Not on a Friday.", isError: true }))[1],
    ).toEqual({
      ...answer,
      approve: false,
      reason: "Not on a Friday.",
    });
    expect((await returned(approval, { content: "approve", isError: true }))[1]).toMatchObject({
      approve: false,
    });
    expect((await returned(approval, { content: "Not today." }))[1]).toEqual({
      ...answer,
      approve: false,
      reason: "Not today.",
    });
  });

  test("an id that the API ties to reasoning goes back only with that reasoning", async () => {
    const item = { ...patch, id: "apc_1" };
    expect((await returned(item, {}))[0]).toEqual(patch);
    expect((await returned(item, {}, [reasoning("hm")])).slice(0, 2)).toEqual([
      reasoning("hm"),
      item,
    ]);
  });

  test("another model receives it as a function call", async () => {
    const server = serve(reply([done(0, patch)]), reply(messageEvents(0, "ok")));
    const turn = await readTurn(server.adapter(), { messages: [user] });
    const [made] = turn.calls;
    const results: Message = {
      role: "tool",
      content: [{ type: "tool-result", id: made?.id ?? "", name: "apply_patch", content: "ok" }],
    };
    await readTurn(server.adapter({}, "gpt-5.2"), {
      messages: [user, turn.message as Message, results],
    });
    expect(server.requests[1]?.body.input.slice(1)).toMatchObject([
      { type: "function_call", name: "apply_patch" },
      { type: "function_call_output" },
    ]);
  });
});

test("a tool that the API defines is chosen by its type", async () => {
  const native = (definition: object, name: string) => ({ provider: "openai", definition, name });
  const tools = [
    native({ type: "apply_patch" }, "apply_patch"),
    native({ type: "mcp", server_label: "dice" }, "mcp_approval"),
  ];
  const choices = tools.map(async ({ name }) => {
    const server = serve(reply(messageEvents(0, "ok")));
    await readTurn(server.adapter(), { messages: [user], tools, toolChoice: { name } });
    return server.requests[0]?.body.tool_choice;
  });
  expect(await Promise.all(choices)).toEqual([
    { type: "apply_patch" },
    { type: "mcp", server_label: "dice" },
  ]);
});

describe("hosts that run custom tools themselves", () => {
  const step = {
    type: "custom_tool_call",
    id: "ctc_1",
    call_id: "xs_call_1",
    name: "x_keyword_search",
    input: "{}",
    status: "completed",
  };
  const other = {
    type: "x_search_call",
    id: "xs_2",
    call_id: "c2",
    name: "x_semantic_search",
    arguments: "{}",
    status: "completed",
  };
  const answer = reply([done(0, step)], [done(1, other)], [done(2, message("Found."))]);
  const ask = async (options: OpenAIOptions, events = answer) => {
    const server = serve(events, reply(messageEvents(0, "ok")));
    const turn = await readTurn(server.adapter(options, "grok-5"), { messages: [user] });
    const sent = turn.message === undefined ? [] : [turn.message];
    await readTurn(server.adapter(options, "grok-5"), { messages: [user, ...sent, user] });
    return { turn, next: server.requests[1]?.body.input as readonly Item[] };
  };

  test("the searches of xAI are its own steps, and do not go back", async () => {
    for (const options of [
      { baseURL: "https://api.x.ai/v1" },
      { baseURL: "https://gateway.example/v1", runsCustomTools: true },
    ]) {
      const { turn, next } = await ask(options);
      expect([turn.stopReason, turn.text, turn.calls.length, turn.withheld.length]).toEqual([
        "stop",
        "Found.",
        0,
        0,
      ]);
      expect(next.map(({ type }) => type)).toEqual(["message", "message", "message"]);
    }
  });
  test("function calls of such a host are calls", async () => {
    const { turn } = await ask(
      { baseURL: "https://api.x.ai/v1" },
      reply([done(0, step)], callEvents(1, call("read", "{}"))),
    );
    expect(turn.calls.map(({ name }) => name)).toEqual(["read"]);
  });
  test("on other hosts a custom tool is a call", async () => {
    const { turn } = await ask({}, reply([done(0, step)]));
    expect(turn.calls.map(({ name }) => name)).toEqual(["x_keyword_search"]);
    expect(
      (
        await ask(
          { baseURL: "https://api.x.ai/v1", runsCustomTools: false },
          reply([done(0, step)]),
        )
      ).turn.stopReason,
    ).toBe("tool-use");
  });
});

describe("the gate knows the cap that was sent", () => {
  const called = reply(callEvents(0, call("read", "{}")));
  const judged = (options: OpenAIOptions, sent: Parameters<typeof createGate>[1]): string => {
    const gate = createGate(openai("gpt-5.5", options), sent);
    for (const event of called) gate.push(event);
    const turn = gate.end();
    return turn.withheld[0]?.reason ?? turn.stopReason;
  };

  test("a cap in `params` is refused", () => {
    const params = { max_output_tokens: 20 } as OpenAIOptions["params"];
    expect(() => openai("gpt-5.5", { params })).toThrow(/max_output_tokens.*maxTokens/s);
  });
  test("the cap and the tools are read from a request body", () => {
    const parameters = { type: "object", properties: { path: {} }, required: ["path"] };
    expect(judged({}, { body: { max_output_tokens: 20 } })).toBe("cap-reached");
    expect(judged({}, { body: { max_output_tokens: 21 } })).toBe("tool-use");
    expect(
      judged(
        {},
        {
          body: { tools: [{ type: "web_search" }, { type: "function", name: "read", parameters }] },
        },
      ),
    ).toBe("input-missing");
    expect(judged({}, { body: { max_output_tokens: null, tools: null } })).toBe("tool-use");
  });
  test("a host that mislabels truncated replies needs a cap", () => {
    expect(judged({ mislabelsTruncation: true }, {})).toBe("cap-unproven");
    expect(judged({ mislabelsTruncation: true }, { maxTokens: 21 })).toBe("tool-use");
    expect(judged({ mislabelsTruncation: false }, {})).toBe("tool-use");
  });
});
