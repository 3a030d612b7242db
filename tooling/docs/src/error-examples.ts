import { jsonSchema, type RunOptions, run, type Tool, tool } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { mock } from "@fullstop/provider-mock";

type Replies = Parameters<typeof mock>[0];

const look: Tool = tool({
  name: "look",
  description: "Looks.",
  inputSchema: jsonSchema({ type: "object" }),
  execute: () => "rain",
});
const callLook = { calls: [{ name: "look", input: {} }] };
const again: Replies = Array.from({ length: 12 }, () => callLook);

/** A run for each end, by when it comes. */
export const runEndings: Readonly<
  Record<string, Partial<RunOptions> & { readonly replies: Replies }>
> = {
  "the model answered": { replies: ["It rains."] },
  "the last reply was empty": { replies: [{}, {}, {}, {}] },
  "`stopWhen` returned true": { replies: [callLook], tools: [look], stopWhen: () => true },
  "the answer was cut, and notes did not help": {
    replies: [{ text: "The weather is", stop: "length" }],
    recovery: { requests: 1, notes: 0, capRaises: 0 },
  },
  "the model declined": { replies: [{ stop: "refusal" }] },
  "a filter stopped the reply": { replies: [{ stop: "content-filter" }] },
  "a person must decide about a call": {
    replies: [callLook],
    tools: [{ ...look, needsApproval: true }],
  },
  "the model repeated itself": { replies: again, tools: [look] },
  "a limit was reached": { replies: again, tools: [look], limits: { turns: 2 } },
  "the answer is not the object": {
    replies: ["It rains."],
    output: jsonSchema({ type: "object", properties: { rain: { type: "boolean" } } }),
    recovery: { notes: 0 },
  },
  "the caller aborted": { replies: ["It rains."], signal: AbortSignal.abort() },
};

const options = { adapter: mock(["Done."]), prompt: "Go." };
const withOptions = (wrong: object) => (): unknown => run({ ...options, ...wrong } as RunOptions);

/** Mistakes of a program, by what is wrong. */
export const mistakes: Readonly<Record<string, () => unknown>> = {
  "no adapter": () => run({ prompt: "Go." } as never),
  "the name of a model as adapter": withOptions({ adapter: "claude-sonnet-5-5" }),
  "no name of a model": () => anthropic(undefined as never),
  "nothing to answer": () => run({ adapter: options.adapter }),
  "an option of another library": withOptions({ maxSteps: 3 }),
  "a misspelled option": withOptions({ onEvnet: () => undefined }),
  "an option in the wrong place": withOptions({ maxTokens: 100 }),
  "a limit that cannot be": withOptions({ limits: { turns: 0 } }),
  "two tools with one name": withOptions({ tools: [look, look] }),
  "a tool without a schema": () => tool({ name: "look", description: "Looks." } as never),
  "a name that no provider accepts": () =>
    tool({
      name: "look around",
      description: "Looks.",
      inputSchema: jsonSchema({ type: "object" }),
    }),
  "a choice of an unknown tool": withOptions({
    tools: [look],
    request: { toolChoice: { name: "find" } },
  }),
  "a call without its result in `messages`": withOptions({
    prompt: undefined,
    messages: [
      { role: "user", content: "Go." },
      {
        role: "assistant",
        content: [{ type: "tool-call", id: "a", name: "look", inputText: "{}" }],
      },
      { role: "user", content: "And?" },
    ],
  }),
  "an object that is not a journal": withOptions({ journal: { store: {} } }),
};
