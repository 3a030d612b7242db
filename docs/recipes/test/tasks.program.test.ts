import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { type Asked, type Model, type Said, type Script, startModel } from "./model.ts";
import { start } from "./program.ts";

const calls = (name: string, input: object): Said => ({ calls: [{ name, input }] });

async function play(script: Script): Promise<Model> {
  const model = await startModel(script);
  onTestFinished(() => model.close());
  return model;
}
/** What a task prints, with a model that calls a tool and then says what its results were. */
interface Task {
  readonly script: Script;
  readonly prints: string;
}
const callOnce =
  (name: string, input: object): Script =>
  ({ results }) =>
    results.length === 0 ? calls(name, input) : { text: `Result: ${results.join()}` };

const recipe = { name: "Waffles", minutes: 20, steps: ["Stir.", "Bake."] };
const isTranslator = ({ body }: Asked): boolean =>
  body.includes("Answer with the translation only.");

const tasks: Readonly<Record<string, Task>> = {
  "one-tool": {
    script: callOnce("weather", { city: "Oslo" }),
    prints: 'Result: {"city":"Oslo","celsius":4}\n',
  },
  streaming: {
    script: () => ({ text: "Once upon a time." }),
    prints: "Once upon a time.",
  },
  "structured-output": {
    script: () => ({ text: JSON.stringify(recipe) }),
    prints: "Waffles: 20 minutes\n",
  },
  "step-limit": {
    script: () => calls("roll", {}),
    prints: "turns: The run reached its limit of 5 turns.\n",
  },
  errors: {
    script: callOnce("stock", { article: "bolt" }),
    prints: "Result: stock failed: The warehouse does not know bolt.\n",
  },
  memory: {
    script: ({ body }) => ({ text: body.includes("What is my name?") ? "Ada." : "Hello." }),
    prints: "Ada.\n",
  },
  "sub-agent": {
    script: (asked) =>
      isTranslator(asked)
        ? { text: "Hei, verden." }
        : callOnce("translate", { text: "Hello, world.", language: "Norwegian" })(asked, 0),
    prints: "Result: Hei, verden.\n",
  },
  handoff: {
    script: ({ results, body }) => {
      if (results.length === 0) return calls("to_billing", {});
      if (!body.includes("You are the billing agent.")) return { text: "wrong agent" };
      return results.length === 1
        ? calls("refund", { order: "7" })
        : { text: String(results.at(-1)) };
    },
    prints: "Refunded 7.\n",
  },
};

it.each(Object.entries(tasks))("tasks/%s does its task", async (name, { script, prints }) => {
  const model = await play(script);
  expect(await start(`tasks/${name}`, { model: model.url }).ended()).toBe(prints);
  expect(model.violations).toEqual([]);
});

it("tasks/approval asks about a large sum, and not about a small one", async () => {
  const model = await play(({ results }) =>
    results.length === 0
      ? {
          calls: [
            { name: "pay", input: { invoice: "small", cents: 100 } },
            { name: "pay", input: { invoice: "large", cents: 10_001 } },
          ],
        }
      : { text: results.join(" ") },
  );
  const task = start("tasks/approval", { model: model.url });
  const asked = await task.printed("? [y/N] ");
  expect(asked.match(/\?/g)).toHaveLength(1);
  expect(asked).toContain('"invoice":"large"');
  task.write("y");
  expect(await task.ended()).toContain("Paid small. Paid large.");
});

/** What a route handler answers to a body, event by event. */
async function eventsOf(
  task: string,
  body: object,
): Promise<readonly { readonly text?: string; readonly delta?: string }[]> {
  const model = await play(() => ({ text: "Good morning." }));
  const handler = fileURLToPath(new URL(`../tasks/${task}.ts`, import.meta.url));
  const args = [handler, JSON.stringify(body)];
  const sent = await start("test/handler", { model: model.url, args }).ended();
  expect(model.violations).toEqual([]);
  return [...sent.matchAll(/^data: ({.+)$/gm)].map(([, json = ""]) => JSON.parse(json));
}

it("tasks/stream-to-ui sends the text as events", async () => {
  const events = await eventsOf("stream-to-ui", [{ role: "user", content: "Say good morning." }]);
  expect(events.map(({ text }) => text).join("")).toBe("Good morning.");
  expect(events.slice(-2)).toMatchObject([
    { type: "turn", kept: true },
    { type: "end", outcome: { status: "done" } },
  ]);
});

it("tasks/chat-route answers a page with useChat", async () => {
  const parts = [{ type: "text", text: "Say good morning." }];
  const messages = [{ id: "1", role: "user", parts }];
  const events = await eventsOf("chat-route", { id: "one", messages });
  expect(events.map(({ delta }) => delta).join("")).toBe("Good morning.");
  expect(events.at(-1)).toMatchObject({ type: "finish", finishReason: "stop" });
});

it("tasks/mcp-tool calls a tool of a server", async () => {
  const model = await play(callOnce("everything__echo", { message: "hello" }));
  const bin = fileURLToPath(new URL("../node_modules/.bin", import.meta.url));
  const env = { PATH: `${bin}:${process.env["PATH"]}` };
  const printed = await start("tasks/mcp-tool", { model: model.url, env }).ended();
  expect(printed).toBe("Result: Echo: hello\n");
});
