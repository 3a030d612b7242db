import type { Message, TurnRequest } from "@fullstop/core";
import { jsonSchema, run, type Tool, tool, withDetails } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";

/** The request of the loop after a reply that needs a note. The note is its last message. */
export interface Situation {
  readonly name: string;
  readonly request: TurnRequest;
  readonly note: string;
}

const toolNamed = (name: string, description: string, ...properties: readonly string[]): Tool =>
  tool({
    name,
    description,
    inputSchema: jsonSchema({
      type: "object",
      properties: Object.fromEntries(properties.map((property) => [property, { type: "string" }])),
      required: properties,
      additionalProperties: false,
    }),
    execute: () => "1. Buy apples. 2. Call the bank.",
  });
const tools = [
  toolNamed("read", "Reads a file.", "path"),
  toolNamed("write", "Writes a file.", "path", "text"),
];
/** A task with its call, so that a small model knows how calls are written. */
const example = (task: string, name: string, input: object, answer: string): readonly Message[] => [
  { role: "user", content: task },
  {
    role: "assistant",
    content: [{ type: "tool-call", id: name, name, inputText: JSON.stringify(input) }],
  },
  { role: "tool", content: [{ type: "tool-result", id: name, name, content: "ok" }] },
  { role: "assistant", content: [{ type: "text", text: answer }] },
];
const messages: readonly Message[] = [
  ...example("Write hello to a.txt.", "write", { path: "a.txt", text: "hello" }, "I wrote it."),
  ...example("Read b.txt.", "read", { path: "b.txt" }, "I read it."),
  { role: "user", content: "Read todo.txt." },
];

type Says = Parameters<typeof mock>[0];
/** Replies that need a note. */
const brokenReplies: Readonly<Record<string, Says>> = {
  "a call that the cap cut": [
    { calls: [{ name: "read", inputText: '{"path":"todo' }], stop: "length" },
  ],
  "a call that cannot be used": [{ calls: [{ name: "read", inputText: "{path: todo.txt}" }] }],
  "a call that is written as text": [
    '<tool_call>{"name": "read", "arguments": {"path": "todo.txt"}}</tool_call>',
  ],
  "an empty reply to a result": [{ calls: [{ name: "read", input: { path: "todo.txt" } }] }, ""],
};

async function requestAfter(name: string, says: Says): Promise<Situation> {
  const requests: TurnRequest[] = [];
  const onEvent = withDetails(
    (event) => void (event.type === "prompt" && requests.push(event.request)),
    ["prompt"],
  );
  const options = { request: { maxTokens: 100 }, recovery: { capRaises: 0 } };
  await run({ adapter: mock([...says, "Done."]), messages, tools, onEvent, ...options }).outcome();
  const request = requests.at(-1);
  const last = request?.messages.at(-1);
  if (request === undefined || last?.role !== "user" || typeof last.content !== "string")
    throw new Error(`The loop sent no note after ${name}.`);
  return { name, request, note: last.content };
}

/** What the loop sends after each of these replies. */
export const situations = (): Promise<readonly Situation[]> =>
  Promise.all(Object.entries(brokenReplies).map(([name, says]) => requestAfter(name, says)));

/** The same request with another note. */
export const withNote = ({ request }: Situation, note: string): TurnRequest => ({
  ...request,
  messages: [...request.messages.slice(0, -1), { role: "user", content: note }],
});
