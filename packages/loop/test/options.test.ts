import { readFileSync } from "node:fs";
import { jsonSchema, type Message, type RunOptions, run, tool } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { memoryJournal } from "./memory.ts";
import { recorder } from "./tools.ts";

const start = (options: object | undefined) => () =>
  run((options && { adapter: mock([]), prompt: "Go.", ...options }) as RunOptions);
const messageOf = (action: () => unknown): string => {
  try {
    action();
    return "no error";
  } catch (thrown) {
    return String(thrown);
  }
};

test("an adapter in place of the options is an error that says so", () => {
  expect(() => run(mock([]) as never)).toThrow(/takes options, not an adapter: `run\(\{ adapter/);
});

test.each([
  [{ aprove: () => true }, "Unknown option `aprove`. Did you mean `approve`?"],
  [{ maxtokens: 5 }, "Did you mean `request.maxTokens`?"],
  [{ max_tokens: 5 }, "Did you mean `request.maxTokens`?"],
  [
    { request: { toolChioce: "none" } },
    "Unknown option `request.toolChioce`. Did you mean `request.toolChoice`?",
  ],
  [{ maxSteps: 3 }, "Did you mean `limits.turns`?"],
  [{ abortSignal: undefined }, "Did you mean `signal`?"],
  [
    { temperature: 0 },
    "Unknown option `temperature`. Options of the provider belong to the adapter.",
  ],
  [{ colour: "red" }, "Unknown option `colour`. The options are: adapter, "],
  [{ limits: { turn: 3 } }, "Unknown option `limits.turn`. Did you mean `limits.turns`?"],
  [
    { limits: { colour: 3 } },
    "Unknown option `limits.colour`. The options are: turns, toolCalls, outputTokens, cost, price, deadlineMs, firstEventMs, idleMs, concurrency, resultChars.",
  ],
  [
    { recovery: { request: 3 } },
    "Unknown option `recovery.request`. Did you mean `recovery.requests`?",
  ],
  [
    { waiting: { turn: {}, decision: {} } },
    "Unknown option `waiting.decision`. Did you mean `waiting.decisions`?",
  ],
  [{ limits: { maxTurns: 3 } }, "Did you mean `limits.turns`?"],
  [
    { limits: { maxTokens: 3 } },
    "Unknown option `limits.maxTokens`. Did you mean `request.maxTokens`?",
  ],
  [{ journal: { store: memoryJournal(), threadId: "r" } }, "Did you mean `journal.runId`?"],
  [{ deps: {} }, "A tool reads what it needs from the scope that it is created in."],
  [undefined, "The options must be an object, not undefined."],
])("an unknown option is an error at once, with a suggestion: %j", (options, sentence) => {
  expect(start(options)).toThrow(sentence);
});

/** Names in AI SDK, OpenAI Agents, LangChain and pydantic-ai. */
const foreignOptions: readonly (readonly [string, string])[] = [
  ["model", "adapter"],
  ["instructions", "system"],
  ["system_prompt", "system"],
  ["input", "prompt"],
  ["message_history", "messages"],
  ["activeTools", "tools"],
  ["handoffs", "tools"],
  ["mcpServers", "tools"],
  ["needsApproval", "approve"],
  ["interruptOn", "approve"],
  ["outputType", "output"],
  ["output_type", "output"],
  ["responseFormat", "output"],
  ["experimental_output", "output"],
  ["maxOutputTokens", "request.maxTokens"],
  ["modelSettings", "request"],
  ["maxSteps", "limits.turns"],
  ["maxTurns", "limits.turns"],
  ["recursionLimit", "limits.turns"],
  ["usage_limits", "limits"],
  ["maxBudgetUsd", "limits.cost"],
  ["timeout", "limits.deadlineMs"],
  ["maxRetries", "recovery.requests"],
  ["fallbackModel", "recovery.fallback"],
  ["prepareStep", "beforeTurn"],
  ["history_processors", "beforeTurn"],
  ["callModelInputFilter", "beforeTurn"],
  ["stop_when", "stopWhen"],
  ["toolUseBehavior", "stopWhen"],
  ["checkpointer", "journal.store"],
  ["session", "journal.store"],
  ["thread_id", "journal.runId"],
  ["abortSignal", "signal"],
  ["onStepFinish", "onEvent"],
  ["callbacks", "onEvent"],
];
test.each(foreignOptions)(
  "an option of another library is an error that names ours: %s",
  (name, ours) => {
    expect(start({ [name]: 1 })).toThrow(
      new TypeError(`Unknown option \`${name}\`. Did you mean \`${ours}\`?`),
    );
  },
);

/** Keys of tools in AI SDK, OpenAI Agents, LangChain and pydantic-ai. */
test.each([
  ["parameters", "inputSchema"],
  ["schema", "inputSchema"],
  ["args_schema", "inputSchema"],
  ["func", "execute"],
  ["handler", "execute"],
  ["exectue", "execute"],
  ["requiresApproval", "needsApproval"],
  ["returnDirect", "ends"],
  ["timeout", "timeoutMs"],
])("a key of a tool of another library is an error that names ours: %s", (key, ours) => {
  expect(start({ tools: [{ ...recorder("look"), [key]: 1 }] })).toThrow(
    `Unknown option \`tools[0].${key}\`. Did you mean \`tools[0].${ours}\`?`,
  );
});

/** The options that lay at the top before they were grouped, and where they are now. */
const movedOptions: readonly (readonly [string, string])[] = [
  ["toolChoice", "request.toolChoice"],
  ["maxTokens", "request.maxTokens"],
  ["effort", "request.effort"],
  ["cache", "request.cache"],
  ["price", "limits.price"],
  ["firstEventMs", "limits.firstEventMs"],
  ["idleMs", "limits.idleMs"],
  ["concurrency", "limits.concurrency"],
  ["maxResultChars", "limits.resultChars"],
  ["attempts", "recovery"],
  ["compact", "recovery.compact"],
  ["fallback", "recovery.fallback"],
  ["steer", "beforeTurn"],
  ["runId", "journal.runId"],
];
test.each(movedOptions)(
  "an option with its old name is an error that says where it is now: %s",
  (name, now) => {
    expect(start({ [name]: 1 })).toThrow(
      new TypeError(`Unknown option \`${name}\`. Did you mean \`${now}\`?`),
    );
  },
);

test("a journal in the place of its options is an error that names the option", () => {
  const { open } = memoryJournal();
  expect(start({ journal: { open } })).toThrow(
    "Unknown option `journal.open`. Did you mean `journal.store`?",
  );
});

test("at most 16 options lie at the top", () => {
  const message = messageOf(start({ colour: "red" }));
  const names = /The options are: (.*)\.$/.exec(message)?.[1]?.split(", ") ?? [];
  expect(names).toEqual(expect.arrayContaining(["adapter", "request", "limits", "onEvent"]));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeLessThanOrEqual(16);
});

test.each([
  [
    { request: { toolChoice: "any" } },
    '`request.toolChoice` must be one of "auto", "none", "required", or `{ name }`, not "any".',
  ],
  [{ request: { toolChoice: {} } }, "or `{ name }`, not an object."],
  [
    { request: { effort: "xhigh" } },
    '`request.effort` must be one of "none", "low", "medium", "high", not "xhigh".',
  ],
  [{ request: [] }, "`request` must be an object, not a list."],
  [{ request: { cache: true } }, '`request.cache` must be one of "auto", "off", not true.'],
  [{ tools: {} }, "`tools` must be a list of tools, not an object."],
  [{ tools: [undefined] }, "`tools[0]` must be a tool, such as `tool({ … })` returns."],
  [{ prompt: 7 }, "`prompt` must be a string, or a list of text, image and file blocks, not 7."],
  [{ messages: "Hello." }, '`messages` must be a list of messages, not "Hello.".'],
  [{ system: ["Be brief."] }, "`system` must be a string, not a list."],
  [{ limits: 5 }, "`limits` must be an object, not 5."],
  [{ limits: { turns: "5" } }, '`limits.turns` must be a whole number, at least 1, not "5".'],
  [{ recovery: 5 }, "`recovery` must be an object, not 5."],
  [{ recovery: { notes: -1 } }, "`recovery.notes` must be a whole number, at least 0, not -1."],
  [{ approve: true }, "`approve` must be a function, not true."],
  [{ onEvent: {} }, "`onEvent` must be a function, or a list of functions, not an object."],
  [{ beforeTurn: [] }, "`beforeTurn` must be a function, not a list."],
  [{ signal: new AbortController() }, "`signal` must be an `AbortSignal`, not an object."],
  [
    { journal: { store: {}, runId: "r" } },
    "`journal.store` must be a journal, such as `fileJournal(path)` returns, not an object.",
  ],
  [{ journal: "run.jsonl" }, '`journal` must be an object, not "run.jsonl".'],
  [{ limits: { idleMs: "5" } }, '`limits.idleMs` must be more than 0, not "5".'],
  [
    { adapter: undefined },
    '`adapter` is missing. It must be an adapter, such as `anthropic("claude-sonnet-5-5")` returns',
  ],
])("an option with a wrong value is an error at once: %j", (options, sentence) => {
  expect(start(options)).toThrow(sentence);
});

test("a string that may be an API key is not in the error", () => {
  expect(start({ adapter: "sk-secret-secret-secret" })).toThrow(/not another string\.$/);
});

test.each([
  ["my tool!", "my_tool"],
  ["Größe", "Gr_e"],
  ["…", "my_tool"],
  ["a".repeat(129), "a".repeat(64)],
])("a tool name that no provider accepts is an error at once: %s", (name, better) => {
  expect(start({ tools: [recorder(name)] })).toThrow(
    `No provider accepts the tool name "${name}". Use at most 64 letters, digits, \`_\` and \`-\`, for example "${better}".`,
  );
});
test("a tool name that some providers accept is valid", () => {
  for (const name of ["read.file", "mcp:read", "1st", `mcp__${"x".repeat(123)}`])
    expect(start({ tools: [recorder(name)] })).not.toThrow();
});
test("a tool without a schema is an error", () => {
  const { inputSchema: _, ...bare } = recorder("look");
  expect(start({ tools: [bare] })).toThrow('Tool "look" needs an `inputSchema`.');
});

const url = "https://example.com/a.png";
test.each<[string, unknown, string]>([
  [
    "an image without a source",
    { type: "image", mediaType: "image/png" },
    'an image block without `data`, `url` or `fileId`: the shape is { type: "image", mediaType, data } with `data` in base64, { type: "image", url }, or { type: "image", fileId, provider }',
  ],
  [
    "an image without its type",
    { type: "image", data: "AAAA" },
    "an image block without `mediaType`: the shape is",
  ],
  [
    "a file without a source",
    { type: "file", mediaType: "text/csv" },
    "a file block without `data`, `url` or `fileId`: the shape is",
  ],
  [
    "a data URL",
    { type: "image", mediaType: "image/png", data: "data:image/png;base64,AAAA" },
    "an image block whose `data` is a data URL",
  ],
  [
    "a data URL as the URL",
    { type: "image", url: "data:image/png;base64,AAAA" },
    "an image block whose `url` is a data URL: give the base64 after the comma as `data`",
  ],
  [
    "two sources",
    { type: "image", mediaType: "image/png", data: "AAAA", url },
    "an image block with `data` and `url`: give exactly one of them",
  ],
  [
    "a URL object",
    { type: "image", url: new URL(url) },
    "an image block whose `url` is not a string: the shape is",
  ],
  [
    "a path",
    { type: "file", url: "file:///tmp/a.pdf" },
    "a file block whose `url` is not an address that begins with https://, http:// or s3://. Load the file",
  ],
  [
    "an address of a bucket",
    { type: "file", url: "gs://bucket/a.pdf" },
    "a file block whose `url` is an address of Google Cloud Storage: give it as `fileId`",
  ],
  [
    "an id without its provider",
    { type: "file", fileId: "file_1" },
    'a file block without `provider`: the shape is { type: "file", mediaType, data, name } with',
  ],
  [
    "a URL with the media type under the name of MCP",
    { type: "image", url, mimeType: "image/png" },
    "an image block without `mediaType`, but with `mimeType`: the shape is",
  ],
  [
    "a media type that is not text",
    { type: "image", url, mediaType: 1 },
    "an image block whose `mediaType` is not a string",
  ],
  [
    "a text without its text",
    { type: "text", content: "Hi." },
    'a text block without `text`: the shape is { type: "text", text }',
  ],
  [
    "a block of another library",
    { type: "image_url", image_url: { url } },
    'a block of type "image_url"; the types are text, image, file',
  ],
])(
  "a user block with a wrong shape is an error at once, which shows the shape: %s",
  (_, block, words) => {
    const said = [{ type: "text", text: "What is this?" }, block];
    expect(start({ prompt: said })).toThrow(`Invalid \`prompt\`: it contains ${words}`);
    const messages = [{ role: "user", content: said }] as Message[];
    expect(start({ messages, prompt: undefined })).toThrow(
      `Invalid \`messages\`: message 0 contains ${words}`,
    );
  },
);

test.each<[string, object]>([
  ["bytes", { type: "image", mediaType: "image/png", data: "AAAA" }],
  ["a URL", { type: "image", url }],
  ["a URL and its type", { type: "file", url, mediaType: "application/pdf", name: "a.pdf" }],
  ["an id", { type: "file", fileId: "file_1", provider: "openai" }],
])("an image or a file is given by %s", (_, block) => {
  expect(start({ prompt: [block] })).not.toThrow();
});

test("the messages of beforeTurn are checked in the same way", async () => {
  const beforeTurn = () => ({
    messages: [{ role: "user", content: [{ type: "image", data: "AAAA" }] }],
  });
  await expect(start({ beforeTurn })().outcome()).rejects.toThrow(
    "`beforeTurn` must return `messages` of users: message 0 contains an image block without `mediaType`",
  );
});

test("tool results in given messages are checked in the same way", () => {
  const messages = [
    { role: "user", content: "Go." },
    { role: "assistant", content: [{ type: "tool-call", id: "c", name: "look", inputText: "{}" }] },
    {
      role: "tool",
      content: [
        { type: "tool-result", id: "c", name: "look", content: [{ type: "image", data: "AAAA" }] },
      ],
    },
  ] as unknown as Message[];
  expect(start({ messages })).toThrow("message 2 contains an image block without `mediaType`");
});

test("every valid kind of option value is accepted", () => {
  const look = tool({
    name: "look",
    description: "Look.",
    inputSchema: jsonSchema({ type: "object" }),
    execute: () => "ok",
  });
  const all: Required<Pick<RunOptions, "request" | "limits" | "recovery" | "signal">> = {
    limits: {
      turns: 1,
      toolCalls: undefined,
      outputTokens: 5,
      deadlineMs: 0.5,
      idleMs: Number.POSITIVE_INFINITY,
      firstEventMs: 0.5,
    },
    recovery: { requests: 1, notes: 0, maxWaitMs: 0 },
    request: { toolChoice: { name: "look" }, effort: "none", cache: "off" },
    signal: AbortSignal.timeout(1),
  };
  expect(start({ ...all, tools: [look] })).not.toThrow();
});

test("the table of the README has each option of `run`", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const table = readme.slice(readme.indexOf("## Options"), readme.indexOf("## Limits"));
  const rows = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, names = ""]) =>
    names.split(", "),
  );
  const [, options = ""] = messageOf(start({ zzzzzz: 1 })).split("The options are: ");
  const known = options.replace(".", "").split(", ");
  expect(known.length).toBeGreaterThan(10);
  expect(rows.toSorted()).toEqual(known.map((name) => `\`${name}\``).toSorted());
});
