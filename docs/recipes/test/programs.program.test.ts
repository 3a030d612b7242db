import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Model, type Said, type Script, startModel } from "./model.ts";
import { type Program, start } from "./program.ts";

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

it("long-file keeps the part of a file that came, and the model adds the rest", async () => {
  const input = { content: "One.\nTwo.\nThree.\n" };
  const steps: readonly Said[] = [
    { calls: [{ name: "write", input, inputText: '{"content":"One.\\nTw' }], stop: "length" },
    calls("edit", { passage: "Tw", replacement: "Two.\nThree.\n" }),
    { text: "It has three lines." },
  ];
  const model = await play((_, index) => steps[index] ?? {});
  const args = ["guide.md", "Write", "three", "lines."];
  const program = start("long-file", { model: model.url, args });
  expect(await program.ended()).toBe(
    "write (the part that came)\nedit\nThe model finished in 3 turns.\n",
  );
  expect(readFileSync(join(program.folder, "guide.md"), "utf8")).toBe(input.content);
  expect(model.requests[1]?.body).toContain("Use edit to");
  expect(model.violations).toEqual([]);
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
  const model = await play((_, index) => ({ text: "No.", cacheRead: index * 2000 }));
  const printed = await start("prompt-caching", { model: model.url }).ended();
  expect(printed).toMatch(/^(\d+) tokens of input, 0 of .*\n(2\d+) tokens of input, 2000 of /);
  for (const { body } of model.requests)
    expect(body).toContain('"cache_control":{"type":"ephemeral"}');
  expect(model.violations).toEqual([]);
});

it("three-tools ends when the report is published", async () => {
  const steps: readonly Said[] = [
    calls("search", { words: "Tidal power" }),
    calls("open", { name: "tidal-power.txt" }),
    calls("publish", { title: "Tides", body: "They come twice a day." }),
  ];
  const model = await play((_, index) => steps[index] ?? { text: "too far" });
  const program = start("three-tools", { model: model.url, args: ["Tidal", "power"] });
  writeFileSync(join(program.folder, "tidal-power.txt"), "Twice a day.\n");
  expect(await program.ended()).toBe(
    "stopped in 3 turns: The run was stopped by `stopWhen` in 3 turns.\n",
  );
  expect(readFileSync(join(program.folder, "report.md"), "utf8")).toContain("# Tides\n");
  expect(model.requests).toHaveLength(3);
  expect(model.violations).toEqual([]);
});

const invoice = JSON.stringify({ number: "7", lines: [{ article: "bolts", cents: 1250 }] });

it("typed-output gives out the object of a finished reply, after a cut one", async () => {
  const replies: readonly Said[] = [
    { text: invoice.slice(0, -6), stop: "length" },
    { text: invoice },
    { text: '{"name":"Ada"}' },
  ];
  const model = await play((_, index) => replies[index] ?? {});
  const printed = await startTypedOutput(model).ended();
  expect(printed).toContain("length: raise-cap\n");
  expect(printed).toContain("7: 1250 cents\nfrom Ada\n");
  expect(model.requests).toHaveLength(3);
  expect(model.violations).toEqual([]);
});

it("typed-output gives nothing out at the cap, also if the cut object fits", async () => {
  const model = await play((_, index) =>
    index < 20 ? { text: invoice, stop: "length" } : { text: "No more requests." },
  );
  const printed = await startTypedOutput(model).ended();
  expect(printed).not.toContain("1250 cents\n");
  expect(printed).toMatch(/^No invoice\. .+$/m);
  expect(printed).toMatch(/^No sender\. .+$/m);
});

const startTypedOutput = (model: Model): Program => {
  const program = start("typed-output", { model: model.url });
  writeFileSync(join(program.folder, "letter.txt"), "Dear customer, bolts: 12.50.\n");
  return program;
};

/** One pixel. */
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";

it("fallback-chain asks the next provider, with the image", async () => {
  const model = await play(({ path }) => {
    if (path.endsWith("/messages")) return { status: 529 };
    if (path.endsWith("/responses")) return { text: "I cannot", stop: "content-filter" };
    return { text: "A lathe, and its door is open." };
  });
  const program = start("fallback-chain", { model: model.url });
  writeFileSync(join(program.folder, "photo.png"), Buffer.from(png, "base64"));
  const printed = await program.ended();
  expect(printed).toMatch(
    /^ask anthropic\n[\s\S]*ask openai\n[\s\S]*ask google\n[\s\S]*A lathe, and/,
  );
  expect(model.requests).toHaveLength(3);
  for (const { body } of model.requests) expect(body).toContain(png);
  expect(model.violations).toEqual([]);
});

it("images sends data, a URL, and the picture of a tool", async () => {
  const model = await play(({ results }) =>
    results.length === 0 ? calls("photograph", { camera: "door" }) : { text: "It is open." },
  );
  const program = start("images", { model: model.url });
  writeFileSync(join(program.folder, "plan.png"), Buffer.from(png, "base64"));
  expect(await program.ended()).toBe("It is open.\n");
  const [first, second] = model.requests.map(({ body }) => body);
  expect(first).toContain(png);
  expect(first).toContain("https://example.com/building.jpg");
  expect(second).toContain("R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=");
  expect(model.violations).toEqual([]);
});

it("sub-agent is killed inside the sub-agent, and repeats nothing that ended", async () => {
  const reached = Promise.withResolvers<void>();
  const killed = Promise.withResolvers<void>();
  const asked: string[] = [];
  const model = await play(async ({ body, results }) => {
    const isResearcher = body.includes("You answer one question about trains");
    asked.push(`${isResearcher ? "researcher" : "planner"} ${results.length}`);
    if (!isResearcher)
      return results.length === 0
        ? calls("research", { question: "When does the train leave?" })
        : { text: `Plan: ${results.join()}` };
    if (results.length === 0) return calls("look_up", { line: "60" });
    if (asked.length === 3) {
      reached.resolve();
      await killed.promise;
    }
    return { text: "At 9:40." };
  });
  const first = start("sub-agent", { model: model.url });
  await reached.promise;
  first.kill("SIGKILL");
  await expect(first.ended()).rejects.toThrow("SIGKILL");
  killed.resolve();
  expect(first.output()).toContain("looked up 60");

  const printed = await start("sub-agent", { model: model.url, folder: first.folder }).ended();
  expect(printed).not.toContain("looked up");
  expect(printed).toContain("tool-use (from the journal)\n  tool-use (from the journal)\n  stop\n");
  expect(printed).toContain("Plan: At 9:40.");
  expect(asked).toEqual(["planner 0", "researcher 0", "researcher 1", "researcher 1", "planner 1"]);
  expect(model.violations).toEqual([]);
});
