import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Model, type Said, type Script, startModel } from "./model.ts";
import { start } from "./program.ts";

const calls = (name: string, input: object): Said => ({ calls: [{ name, input }] });

/** A model that is closed at the end of the test, when every request was valid. */
async function play(script: Script): Promise<Model> {
  const model = await startModel(script);
  onTestFinished(() => model.close());
  return model;
}

it("coding-agent edits a file after a yes, and stays in its folder", async () => {
  const steps: readonly Said[] = [
    { text: "I look.", ...calls("read", { path: "sum.js" }) },
    calls("read", { path: "../../etc/passwd" }),
    calls("edit", { path: "sum.js", passage: "a - b", replacement: "a + b" }),
    { text: "It adds now." },
  ];
  const model = await play((_, index) => steps[index] ?? {});
  const agent = start("coding-agent", { model: model.url, args: ["Make", "it", "add."] });
  writeFileSync(join(agent.folder, "sum.js"), "export const sum = (a, b) => a - b;\n");
  await agent.printed("? [y/N]");
  agent.write("yes");
  const printed = await agent.ended();
  expect(printed).toContain("I look.\n✔ read\n\n✖ read\n");
  expect(printed).toContain('edit {"path":"sum.js","passage":"a - b","replacement":"a + b"}?');
  expect(printed).toContain("It adds now.\nThe model finished in 4 turns.");
  expect(readFileSync(join(agent.folder, "sum.js"), "utf8")).toContain("a + b");
  expect(model.violations).toEqual([]);
});

it("coding-agent ends on Ctrl-C while it asks", async () => {
  const model = await play(() => calls("shell", { command: "rm -rf ." }));
  const agent = start("coding-agent", { model: model.url, args: ["Clean", "up."] });
  await agent.printed("? [y/N]");
  agent.kill("SIGINT");
  await expect(agent.ended()).rejects.toThrow("The run was aborted in one turn.");
});

it("own-loops runs the calls of finished replies, and none of a cut one", async () => {
  const weather = calls("weather", { city: "Oslo" });
  const finished = await play(({ results }) =>
    results.length === 0 ? weather : { text: `Take a coat: ${results}.` },
  );
  const whole = await start("own-loops", { model: finished.url }).ended();
  expect(whole).toBe(
    "askAnthropic: Take a coat: 4 °C in Oslo.\naskOpenAI: Take a coat: 4 °C in Oslo.\n",
  );
  expect(finished.violations).toEqual([]);

  const cut = await play(() => ({ ...weather, stop: "length" }));
  const printed = await start("own-loops", { model: cut.url }).ended();
  expect(cut.requests).toHaveLength(2);
  expect(printed.match(/has no answer/g)).toHaveLength(2);
});

it.each(["llamacpp", "ollama", "lmstudio", "vllm"])("local-model asks %s", async (server) => {
  const model = await play(({ results }) =>
    results.length === 0 ? calls("add", { a: 17, b: 25 }) : { text: `It is ${results}.` },
  );
  const printed = await start("local-model", { model: model.url, args: [server, "m"] }).ended();
  expect(printed).toBe("It is 42.\n");
  expect(model.requests.map(({ path }) => path)).toEqual(
    Array.from({ length: 2 }, () => "/v1/chat/completions"),
  );
  expect(model.violations).toEqual([]);
});

it("prompt-caching marks the request, and shows what was read from the cache", async () => {
  const model = await play(() => ({ text: "No." }));
  const printed = await start("prompt-caching", { model: model.url }).ended();
  expect(printed.match(/tokens of input/g)).toHaveLength(2);
  for (const { body } of model.requests)
    expect(body).toContain('"cache_control":{"type":"ephemeral"}');
  expect(model.violations).toEqual([]);
});
