import { type AgentOptions, agentTool, jsonSchema, type Tool } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { describe, expect, test } from "vitest";
import { agent, scripted } from "./agents.ts";
import { call, runScript } from "./script-run.ts";
import { eventsOfType, recorder } from "./tools.ts";

describe("an abort", () => {
  const hanging = (started: () => void) => {
    let reason: unknown;
    const tool = recorder("hang", (_, { signal }) => {
      setImmediate(started);
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reason = signal.reason;
          reject(new Error("Stopped."));
        });
      });
    });
    return { tool, reason: () => reason };
  };

  test("reaches a sub-agent and its tools, and nothing is left running", async () => {
    const controller = new AbortController();
    const { tool, reason } = hanging(() => controller.abort("by hand"));
    const inner = scripted("inner", [call("hang")], { tools: [tool] });
    const outer = scripted("outer", [call("inner")], { tools: [inner] });
    const { outcome, events } = await runScript([call("outer")], [outer], {
      signal: controller.signal,
    });
    expect(outcome.status).toBe("aborted");
    expect(reason()).toBe("by hand");
    const ends = eventsOfType(events, "end").map(({ path, outcome: { status } }) => [
      path.length,
      status,
    ]);
    expect(ends).toEqual([
      [2, "aborted"],
      [1, "aborted"],
      [0, "aborted"],
    ]);
    expect(outcome.usage.output).toBe(60);
  });

  test("at the deadline of the run ends the sub-agent, and the run says which limit it was", async () => {
    const { tool } = hanging(() => {});
    const inner = scripted("inner", [call("hang")], { tools: [tool] });
    const { outcome, events } = await runScript([call("inner")], [inner], {
      limits: { deadlineMs: 50 },
    });
    expect(outcome).toMatchObject({ status: "limit", limit: "deadlineMs" });
    expect(eventsOfType(events, "end").map(({ outcome: { status } }) => status)).toEqual([
      "aborted",
      "limit",
    ]);
  });

  test("at a deadline of the sub-agent leaves the run going", async () => {
    const { tool } = hanging(() => {});
    const inner = scripted("inner", [call("hang")], { tools: [tool], limits: { deadlineMs: 50 } });
    const { outcome, results } = await runScript([call("inner"), "Done."], [inner]);
    expect(outcome.status).toBe("done");
    expect(results[0]).toContain("deadline of 0.05 s");
  });

  test("at the time limit of an agent tool gives the model its last text, and nothing runs on", async () => {
    const { tool } = hanging(() => {});
    const inner = agentTool({
      name: "inner",
      description: "Looks.",
      inputSchema: jsonSchema({ type: "object" }),
      timeoutMs: 50,
      run: () => ({
        adapter: mock([{ text: "I found a.", calls: [{ name: "hang", input: {} }] }]),
        prompt: "Look.",
        tools: [tool],
      }),
    });
    const { outcome, results } = await runScript([call("inner"), "Done."], [inner]);
    expect(outcome.status).toBe("done");
    expect(results).toEqual([
      "inner did not finish. It reached its limit of 0.05 s.\n\nIts last text:\nI found a.",
    ]);
  });

  test("at the time limit of the tool ends the sub-agent before the run goes on", async () => {
    const { tool } = hanging(() => {});
    const inner: Tool = { ...scripted("inner", [call("hang")], { tools: [tool] }), timeoutMs: 50 };
    const { outcome, events } = await runScript([call("inner"), "Done."], [inner]);
    expect(outcome.status).toBe("done");
    const order = events.filter(({ type }) => type === "end" || type === "tool-result");
    expect(order.map(({ type, path }) => `${type} ${path.length}`)).toEqual([
      "tool-result 1",
      "end 1",
      "tool-result 0",
      "end 0",
    ]);
  });
});

test("a sub-agent whose options come after the end of the call is not started", async () => {
  const controller = new AbortController();
  let give = (_: AgentOptions): void => {};
  const late = new Promise<AgentOptions>((resolve) => (give = resolve));
  const inner = agent("inner", () => {
    setImmediate(() => controller.abort());
    return late;
  });
  const model = mock(["Late."]);
  const { outcome, events } = await runScript([call("inner")], [inner], {
    signal: controller.signal,
  });
  const before = events.length;
  give({ adapter: model, prompt: "Go." });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(outcome.status).toBe("aborted");
  expect([events.length, model.requests.length]).toEqual([before, 0]);
});
