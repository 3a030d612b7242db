import { createConnection } from "node:net";
import { fileURLToPath } from "node:url";
import { judge, type Report, report, type Verdict } from "@fullstop/conformance";
import { serve } from "@fullstop/conformance/server";
import { afterAll, describe, expect, test } from "vitest";
import { type AgentOptions, agentSubject } from "../src/agent/subject.ts";
import { createFolder } from "./command.ts";

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const naive = [process.execPath, fileOf("../examples/naive/agent.mjs")];
const proxyLine = (fault = ""): string =>
  `"${process.execPath}" "${fileOf("proxy.mjs")}" {port} {upstream} ${fault}`;
const through = (fault?: string): AgentOptions["through"] => ({
  command: proxyLine(fault),
  path: "/model",
});

/** An agent that runs a call only under the native stop reason for calls. */
const careful = [
  process.execPath,
  "--input-type=module",
  "-e",
  `
  const tools = [{ name: "look", description: "Look.", input_schema: { type: "object", properties: { place: { type: "string" } } } }];
  const messages = [{ role: "user", content: "Look." }];
  for (let n = 0; n < 3; n++) {
    const body = JSON.stringify({ model: "claude", max_tokens: 9, messages, tools });
    const reply = await fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", { method: "POST", body }).catch(() => process.exit());
    const { stop_reason, content } = await reply.json();
    if (stop_reason !== "tool_use") break;
    const results = content.filter(({ type }) => type === "tool_use").map(({ id, input }) => ({ type: "tool_result", tool_use_id: id, content: "Seen " + input.place }));
    messages.push({ role: "assistant", content }, { role: "user", content: results });
  }`,
];

async function verdicts(
  command: readonly string[],
  only: string,
  options: AgentOptions = {},
): Promise<readonly Verdict[]> {
  const all: Verdict[] = [];
  const subject = await agentSubject(command, { timeoutMs: 120_000, ...options });
  for await (const verdict of judge(subject, { only, jobs: 2 })) all.push(verdict);
  return all;
}
/** What differs between two judgements. */
const summary = (all: readonly Verdict[]): unknown =>
  all.map(({ clause, status, checks, broken }) => [
    clause.id,
    status,
    checks,
    broken.map(({ at, actual }) => [at, actual]),
  ]);

describe("a program behind a gateway", () => {
  test("gets the same verdicts if the gateway changes nothing", async () => {
    const direct = await verdicts(naive, "stop");
    expect(direct.map(({ status }) => status)).toContain("broken");
    const behind = await verdicts(naive, "stop", { through: through() });
    expect(summary(behind)).toEqual(summary(direct));
  });

  test("is judged by the replies that the gateway passes on", async () => {
    const [direct] = await verdicts(careful, "stop.words");
    expect(direct?.status, direct && report(direct)).toBe("kept");
    const [behind] = await verdicts(careful, "stop.words", { through: through("relabels") });
    expect(behind?.status).toBe("broken");
    expect(behind?.broken[0]).toMatchObject({
      expected: "runs nothing",
      actual: expect.stringContaining("runs look"),
    });
  });
});

const portOf = (message: string): number => Number(/127\.0\.0\.1:(\d+)/.exec(message)?.[1]);
/** Whether something listens at a port of this machine. */
const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

describe("a gateway", () => {
  test("that ends before it answers is an error with what it printed", async () => {
    await expect(agentSubject(careful, { through: through("refuses") })).rejects.toThrow(
      "The gateway ended before it answered, with exit code 4. It printed: I do not like this port.",
    );
  });

  test("that never answers is an error", async () => {
    await expect(
      agentSubject(careful, { through: through("sleeps"), timeoutMs: 2000 }),
    ).rejects.toThrow(
      /^The gateway did not answer at http:\/\/127\.0\.0\.1:\d+ within 2 s\. Its command must listen at \{port\}\. It printed: asleep/,
    );
  });

  test("that ends during a run is an error, also if the program ends well", async () => {
    await expect(agentSubject(careful, { through: through("dies") })).rejects.toThrow(
      "The gateway ended during a run, with exit code 3. It printed nothing.",
    );
  });

  test("is ended with its run", async () => {
    const tells = careful.with(-1, "console.log(process.env.ANTHROPIC_BASE_URL)");
    const told = await agentSubject(tells, { through: through() }).catch(String);
    const port = portOf(String(told));
    expect(told).toContain(`http://127.0.0.1:${port}/model`);
    expect(await listens(port)).toBe(false);
  });

  test("is ended by an abort, also before it answers", async () => {
    const stop = new AbortController();
    const ended = Promise.withResolvers<void>();
    const endless = function* (): Generator<Uint8Array<ArrayBuffer>> {
      try {
        stop.abort(new Error("Enough."));
        for (;;) yield new Uint8Array(65_536);
      } finally {
        ended.resolve();
      }
    };
    const serving = await serve(() => ({ chunks: endless() }));
    const reads = `fetch('${serving.url}').then(async ({ body }) => { for await (const _ of body); })`;
    const command = `"${process.execPath}" -e "${reads}"`;
    try {
      await expect(
        agentSubject(careful, { through: { command }, signal: stop.signal }),
      ).rejects.toThrow("Enough.");
      await ended.promise;
    } finally {
      await serving.close();
    }
  });
});

describe("the command", () => {
  const folder = createFolder();
  afterAll(() => folder[Symbol.dispose]());
  const asked = ["--only", "history", "--reporter", "json", "--", ...naive];

  test("judges a program behind a gateway, and its report has the command that does it again", async () => {
    const options = ["--through", proxyLine(), "--through-path", "/model"];
    const { code, stdout, stderr } = await folder.run(["agent", ...options, ...asked]);
    expect(code, stderr).toBe(0);
    const { subjects } = JSON.parse(stdout) as Report;
    expect(subjects).toMatchObject([
      { wire: "anthropic-messages", findings: { "history.result": { status: "kept" } } },
    ]);
    expect(subjects[0]?.command).toMatch(
      /^npx fullstop conformance agent --through .*proxy\.mjs.* --through-path \/model -- node agent\.mjs$/,
    );
  });

  test.each([
    [["--through-path", "/model"], "name its command with --through"],
    [["--through", "x", "--through-path", "model/"], "begin with a slash and not end with one"],
    [
      ["--through", "exit 7"],
      "The gateway ended before it answered, with exit code 7. It printed nothing.",
    ],
  ])("refuses %j with a reason", async (options, reason) => {
    const { code, stderr } = await folder.run(["agent", ...options, ...asked]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });
});
