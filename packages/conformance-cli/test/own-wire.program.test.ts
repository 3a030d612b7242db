import { fileURLToPath } from "node:url";
import type { Report } from "@fullstop/conformance";
import { expect, test } from "vitest";
import { createFolder } from "./command.ts";

const acme = JSON.stringify(fileURLToPath(new URL("./acme.ts", import.meta.url)));

/** A protocol that the suite does not have, with how programs speak it. */
const wireModule = `
import acme from ${acme};
const itemsOf = (body, say) => (body?.talk ?? []).filter((item) => item.say === say);
export default {
  ...acme.wire,
  name: "acme-talk",
  violations: () => [],
  agent: {
    route: /\\/talk$/,
    env: (server) => ({ ACME_URL: server }),
    streams: () => false,
    tools: (body) => (body?.tools ?? []).map(({ name, schema }) => ({ name, inputSchema: schema })),
    results: (body) => itemsOf(body, "result").map(({ of, text }) => ({ call: of, text })),
  },
};`;

/** Runs calls under the stop reason for calls, and under that of a text. */
const agentModule = (mayRun: string): string => `
import { writeFileSync } from "node:fs";
const text = { type: "string" };
const schema = { type: "object", properties: { path: text, content: text }, required: ["path", "content"] };
const talk = [{ say: "user", text: "Go." }];
for (let n = 0; n < 4; n++) {
  const body = JSON.stringify({ talk, tools: [{ name: "write", schema }], cap: 900, stream: false });
  const reply = await (await fetch(process.env.ACME_URL + "/talk", { method: "POST", body })).json();
  const parts = reply.parts ?? [];
  const calls = parts.filter(({ say }) => say === "tool");
  if (calls.length === 0 || !(${mayRun})) break;
  talk.push(...parts);
  for (const call of calls) {
    const { path, content } = JSON.parse(parts.find(({ say, n }) => say === "input" && n === call.n).json);
    writeFileSync(path, content);
    talk.push({ say: "result", of: call.id, text: "Wrote it." });
  }
}`;

test("an agent of a protocol that the suite does not have is judged with a wire of its own", async () => {
  using folder = createFolder();
  const wire = folder.put("my-wire.mjs", wireModule);
  const good = folder.put("good.mjs", agentModule('["tool", "done"].includes(reply.why)'));
  const bad = folder.put("bad.mjs", agentModule('reply.why !== "policy"'));
  const judge = async (agent: string) => {
    const args = ["agent", "--wire", `./${wire}`, "--only", "stop.words", "--reporter", "json"];
    return folder.run([...args, "--", process.execPath, agent]);
  };
  expect((await judge(good)).code).toBe(0);
  const { code, stdout, stderr } = await judge(bad);
  expect(code, stderr).toBe(1);
  const [subject] = (JSON.parse(stdout) as Report).subjects;
  expect(subject?.wire).toBe("acme-talk");
  expect(subject?.command).toContain("--wire ./my-wire.mjs");
  const broken = subject?.findings["stop.words"]?.broken.map(({ id }) => id) ?? [];
  expect(broken).toContain("budget-small-usage");
  expect(broken.some((id) => id?.startsWith("policy"))).toBe(false);
});

test("a module without a wire for agents, and an unknown name, are errors that say what to give", async () => {
  using folder = createFolder();
  const wire = folder.put("no-wire.mjs", "export default { name: 'half' };");
  const run = (name: string) => folder.run(["agent", "--wire", name, "--", "true"]);
  const half = await run(`./${wire}`);
  expect(half.code).toBe(2);
  expect(half.stderr).toContain("a wire with `name`, `nativeStops`");
  const unknown = await run("openai");
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain("or a module that exports a wire, as ./my-wire.ts");
});
