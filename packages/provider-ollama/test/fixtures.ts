import { cap, type Fixture } from "@fullstop/conformance";
import { call, calls, type Fields, last, line, text, thinking } from "./chunks.ts";

const read = { name: "read", input: { path: "/srv/notes.txt" } } as const;
const list = { name: "list", input: {} } as const;
const readCall = call(read.name, read.input);

/** Bytes of a real server, shortened. The tool, its input and the counts are the suite's. */
const recorded = "Ollama 0.17.4 with a model of tooling/local/src/ollama-replies.ts";

/** A reply before it is framed. */
interface Sample extends Omit<Fixture, "frames"> {
  /** A text is a line as it is. */
  readonly lines: readonly (Fields | string)[];
}

/** Replies that only Ollama sends. The sources of the server are in https://github.com/ollama/ollama. */
const samples: readonly Sample[] = [
  {
    name: "a call in the last line only",
    lines: [text("Reading."), last("stop", 12, { tool_calls: [readCall] })],
    contentInTerminal: true,
    turn: { stopReason: "tool-use", text: "Reading.", calls: [read] },
    replays: [read.input, "read"],
    source: "QuantumNous/new-api#7252",
  },
  {
    name: "calls without ids, the same one twice, and an index that is always 0",
    lines: [
      calls({ function: { index: 0, name: read.name, arguments: read.input } }),
      calls({ function: { index: 0, name: read.name, arguments: read.input } }),
      last("stop"),
    ],
    turn: { stopReason: "tool-use", calls: [read, read] },
    source: "ollama/ollama: model/parsers/qwen3.go sets no index",
  },
  {
    name: "two calls in one line, with the ids of newer servers",
    lines: [
      calls(
        call(read.name, read.input, { id: "call_kqzgc3lb" }),
        call(list.name, list.input, { id: "call_0xd4y5wn" }),
      ),
      last("stop"),
    ],
    turn: {
      stopReason: "tool-use",
      calls: [
        { ...read, id: "call_kqzgc3lb" },
        { ...list, id: "call_0xd4y5wn" },
      ],
    },
    replays: ["call_kqzgc3lb", "call_0xd4y5wn"],
    source: "ollama/ollama: toolCallId() in server/routes.go",
  },
  {
    name: "thinking before a call",
    lines: [thinking("I should "), thinking("read."), calls(readCall), last("stop")],
    turn: { stopReason: "tool-use", thinking: "I should read.", calls: [read] },
    replays: ["I should read."],
    source: "https://github.com/ollama/ollama/blob/main/docs/capabilities/thinking.mdx",
  },
  {
    name: "thinking before a text",
    lines: [thinking("A greeting."), text("Hello."), last("stop")],
    turn: { stopReason: "stop", thinking: "A greeting.", text: "Hello.", calls: [] },
    replays: ["A greeting."],
  },
  {
    name: "the cap cut a call: half of it is text",
    lines: [text('{"name": "read", "arguments": {"path": "/srv'), last("length", cap)],
    turn: {
      stopReason: "length",
      text: '{"name": "read", "arguments": {"path": "/srv',
      calls: [],
      withheld: [],
    },
    source: "ollama/ollama: Parser.Content() in tools/tools.go",
  },
  {
    name: "the cap cut a call: nothing of it is sent",
    lines: [last("length", cap)],
    turn: { stopReason: "length", text: "", calls: [] },
    source: "ollama/ollama: Parser.Content() in tools/tools.go",
  },
  {
    name: "the cap cut the reply behind a whole call",
    lines: [calls(readCall), text("And"), last("length", cap)],
    turn: { stopReason: "length", calls: [], withheld: [{ name: "read", reason: "stop-reason" }] },
    omits: ["/srv/notes.txt"],
  },
  {
    name: "a text that looks like a call stays a text",
    lines: [text('{"name": "read", "arguments": {"path": "/srv"}}'), last("stop")],
    turn: {
      stopReason: "stop",
      text: '{"name": "read", "arguments": {"path": "/srv"}}',
      calls: [],
    },
    source: "ollama/ollama: Parser.Add() in tools/tools.go",
  },
  {
    name: "a last line without a reason: the model's process ended early",
    lines: [calls(readCall), last(undefined)],
    turn: { stopReason: "interrupted", calls: [] },
    source: "ollama/ollama: DoneReasonConnectionClosed in llm/server.go",
  },
  {
    name: "a model that was loaded, and wrote nothing",
    lines: [
      {
        model: "deepseek-v4-flash",
        created_at: "2026-08-03T10:00:00Z",
        message: { role: "assistant", content: "" },
        done: true,
        done_reason: "load",
      },
    ],
    turn: {
      stopReason: "error",
      native: { stop: "load" },
      calls: [],
      error: { kind: "invalid-request" },
    },
    source: "can1357/oh-my-pi#7465, langchain-ai/langchain#31482",
  },
  {
    name: "a model that was removed from memory",
    lines: [{ ...line({}), done: true, done_reason: "unload" }],
    turn: { stopReason: "error", native: { stop: "unload" }, calls: [] },
    source: "https://github.com/ollama/ollama/blob/main/docs/api.md#unload-a-model-1",
  },
  {
    name: "recorded: the server broke the reply off because it repeated itself",
    lines: [
      '{"model":"stuck","created_at":"2026-11-23T17:41:32.719701817Z","message":{"role":"assistant","content":"","tool_calls":[{"id":"call_8p2xyvbz","function":{"index":0,"name":"read","arguments":{"path":"/srv/notes.txt"}}}]},"done":false}',
    ],
    turn: { stopReason: "interrupted", calls: [], withheld: [{ name: "read" }] },
    source: `${recorded}; ollama/ollama#18359`,
  },
  {
    name: "recorded: thinking, and nothing of the call that the cap cut",
    lines: [
      '{"model":"thinking","created_at":"2026-11-23T17:41:32.795760432Z","message":{"role":"assistant","content":"","thinking":"I "},"done":false}',
      '{"model":"thinking","created_at":"2026-11-23T17:41:32.796082933Z","message":{"role":"assistant","content":"","thinking":"must write."},"done":false}',
      '{"model":"thinking","created_at":"2026-11-23T17:41:32.806200754Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"length","total_duration":15361301,"load_duration":2372228,"prompt_eval_count":155,"prompt_eval_duration":414398,"eval_count":1024,"eval_duration":10877973}',
    ],
    turn: { stopReason: "length", thinking: "I must write.", text: "", calls: [], withheld: [] },
    source: recorded,
  },
  {
    name: "a number that a double would round",
    lines: [
      JSON.stringify(calls(call("read", { at: 4711 }))).replace("4711", "12345678901234567890"),
      last("stop"),
    ],
    turn: { stopReason: "malformed-tool-call", calls: [] },
  },
  {
    name: "an error behind a whole call",
    lines: [calls(readCall), { error: "an error was encountered while running the model" }],
    turn: { stopReason: "error", calls: [], error: { kind: "server" } },
    source: "https://github.com/ollama/ollama/blob/main/docs/api/errors.mdx",
  },
];

export const fixtures: readonly Fixture[] = samples.map(({ lines, ...fixture }) => ({
  ...fixture,
  frames: {
    upToTerminal: lines.map((one) => (typeof one === "string" ? one : JSON.stringify(one))),
  },
}));
