import { journalNotes } from "./journals.ts";
import type { Notes } from "./notes.ts";
import { providerNotes } from "./providers.ts";

/** By the folder of the package. Each published package has a row. */
export const notes: Readonly<Record<string, Notes>> = {
  core: {
    entry:
      "Import from `@fullstop/core`. `@fullstop/core/adapter` is for authors of adapters. For a whole agent use `@fullstop/loop`.",
    example: {
      ts: `import { explain, readTurn } from "@fullstop/core";
import { anthropic } from "@fullstop/provider-anthropic";

const turn = await readTurn(anthropic("claude-sonnet-5-5"), { messages: [{ role: "user", content: "Hello." }] });
if (turn.stopReason === "tool-use") for (const { name, input } of turn.calls) console.log("run", name, input);
else console.log(turn.text, explain(turn).person);`,
    },
    mistakes: [
      "Running what is in `turn.withheld`, or a call that the program parsed itself. Only `turn.calls` may run.",
      "Expecting `readTurn` to reject. A failure is a turn too: look at `turn.stopReason` and `turn.error`.",
      "An own loop with `createGate` that does not pass what it catches to `gate.fail(toProviderError(error, adapter))`, or that uses one gate for two replies.",
    ],
  },
  loop: {
    entry:
      "Import from `@fullstop/loop`, and a model from a `@fullstop/provider-…` package. `@fullstop/loop/journal` is for authors of journals.",
    example: {
      ts: `import { run, tool } from "@fullstop/loop";
import { openai } from "@fullstop/provider-openai";
import { z } from "zod";

const add = tool({
  name: "add",
  description: "Add two numbers.",
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => a + b,
});
console.log(await run({ adapter: openai("gpt-5.5"), tools: [add], prompt: "What is 2 + 3?" }).text());`,
    },
    mistakes: [
      "Taking `outcome.text` for an answer without a look at `outcome.status`. `text()` rejects if the answer is not complete.",
      "Printing `text` events without a look at `turn` events: after `kept: false` the reply is requested again, and its text is void. `run(…).textStream` has only the text that stays, each reply when it is complete.",
      "Options of other libraries (`model`, `maxSteps`, `maxTokens` at the top): they are `adapter`, `limits.turns`, `request.maxTokens`.",
    ],
  },
  guard: {
    entry:
      "Import from `@fullstop/guard`, and give `guard()` to a client as its `fetch`. `node --import @fullstop/guard/register app.js` wraps the global `fetch`.",
    example: {
      ts: `import { guard } from "@fullstop/guard";
import OpenAI from "openai";

export const client = new OpenAI({ fetch: guard() });`,
    },
    mistakes: [
      "Requests without an output cap. If a gateway reports a cut reply as finished, only the usage and the cap show it: set one.",
      'A host under an address of its own without facts. Give them: `guard(fetch, { host: () => ({ dialect: "vllm" }) })`.',
      "A page that draws the input of a call while it is written. Calls arrive at once, when their reply has ended.",
    ],
  },
  ui: {
    entry:
      "Import from `@fullstop/ui`, on the server only. The page keeps `useChat` of `@ai-sdk/react`; `sseResponse` is for any other page.",
    example: {
      ts: `import { openai } from "@fullstop/provider-openai";
import { chatHandler, createRunStreams } from "@fullstop/ui";

const chat = chatHandler({ adapter: openai("gpt-5.5"), streams: createRunStreams() });
export { chat as DELETE, chat as GET, chat as POST };`,
    },
    mistakes: [
      "No `authorize`. The id of a chat comes from the page, so anyone who knows it can use the chat.",
      "No `streams`, and a page that is loaded again: without them a page that disconnects aborts its run.",
      "`pipe` to a response of `node:http`. Use `pipeline`, so that the run learns that the client has gone.",
    ],
  },
  "ai-sdk": {
    entry:
      "`finishedCalls()` of `@fullstop/ai-sdk` is a middleware for each model of AI SDK. `languageModel(adapter)` makes a model of an adapter of Fullstop.",
    example: {
      ts: `import { openai } from "@ai-sdk/openai";
import { finishedCalls } from "@fullstop/ai-sdk";
import { wrapLanguageModel } from "ai";

export const model = wrapLanguageModel({ model: openai("gpt-5.5"), middleware: finishedCalls() });`,
    },
    mistakes: [
      "No `maxOutputTokens`. If a gateway reports a cut reply as finished, only the usage and the cap show it.",
      "A page that draws the input of a call while it is written. Calls arrive at the end of their reply.",
      "Expecting another request after a withheld call. The run ends with a note; `run` of `@fullstop/loop` asks again.",
    ],
  },
  langchain: {
    entry:
      "`finishedCalls()` of `@fullstop/langchain` is a middleware for `createAgent` of LangChain. It is the last one in the list.",
    example: {
      ts: `import { finishedCalls } from "@fullstop/langchain";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";

const model = new ChatOpenAI({ model: "gpt-5.5", maxTokens: 4096 });
export const agent = createAgent({ model, tools: [], middleware: [finishedCalls()] });`,
    },
    mistakes: [
      "No `maxTokens`. If a gateway reports a cut reply as finished, only the usage and the cap show it.",
      "A middleware after it that changes the model. The run fails then, because the guard did not see the reply.",
      "A page that draws the input of a call while it is written. Calls arrive at the end of their reply.",
    ],
  },
  mcp: {
    entry: "Import from `@fullstop/mcp`. The transports come from `@modelcontextprotocol/client`.",
    example: {
      ts: `import { run } from "@fullstop/loop";
import { mcpTools } from "@fullstop/mcp";
import { openai } from "@fullstop/provider-openai";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const transport = () => new StdioClientTransport({ command: "my-file-server" });
const { tools, beforeTurn, close } = await mcpTools([{ name: "files", transport }]);
const approve = () => true;
console.log(await run({ adapter: openai("gpt-5.5"), tools, beforeTurn, approve, prompt: "What is here?" }).text());
await close();`,
    },
    mistakes: [
      "No `approve`: then the run waits at the first call. Only read-only tools of a server with `trust: true` need no decision.",
      "No `beforeTurn`: then the run does not notice that a server has changed its tools.",
      "No `close()`: then the processes of the servers go on.",
    ],
  },
  otel: {
    entry: "Import from `@fullstop/otel`. The program sets up an OpenTelemetry SDK itself.",
    example: {
      ts: `import { run } from "@fullstop/loop";
import { traceRuns } from "@fullstop/otel";
import { openai } from "@fullstop/provider-openai";

const onEvent = traceRuns();
console.log(await run({ adapter: openai("gpt-5.5"), prompt: "Hello.", onEvent }).text());`,
    },
    mistakes: [
      "A second observer that replaces the first. Give a list: `onEvent: [traceRuns(), mine]`.",
      "A run that rejects (its journal failed) without `onEvent.end({ runId, error })`: its spans stay open.",
      "Looking for prompts and results in spans. They are there only with `traceRuns({ content: true })`.",
    ],
  },
  inspect: {
    entry:
      "`record` of `@fullstop/inspect` writes a recording. `@fullstop/inspect/view` reads one, also in a browser.",
    example: {
      ts: `import { record } from "@fullstop/inspect";
import { run } from "@fullstop/loop";
import { openai } from "@fullstop/provider-openai";

const onEvent = record("run.jsonl");
console.log(await run({ adapter: openai("gpt-5.5"), prompt: "Hello.", onEvent }).text());
await onEvent.close();`,
    },
    mistakes: [
      "One file for two processes. Each process needs its own.",
      "A recording in a public place: it has all prompts, inputs and results. Only keys in known forms are removed.",
      "No `close()`: then nothing is lost, but an error of the file is only a warning.",
    ],
  },
  lint: {
    entry: "Import from `@fullstop/lint`. The shape of a transcript is recognized.",
    example: {
      ts: `import { fixTranscript } from "@fullstop/lint";

const { transcript, left } = fixTranscript({ messages: [{ role: "user", content: "Hello." }] });
console.log(transcript, left);`,
    },
    mistakes: [
      "Sending `transcript` without a look at `left`: these flaws were not repaired.",
      "A transcript that fits several shapes: the option `shape` settles it.",
      "Giving it a journal. A journal does not have what was sent.",
    ],
  },
  restate: {
    entry: "Import from `@fullstop/restate`, and `serve` from `@restatedev/restate-sdk` as ESM.",
    example: {
      ts: `import { openai } from "@fullstop/provider-openai";
import { agentWorkflow, restateJournal } from "@fullstop/restate";
import { serve } from "@restatedev/restate-sdk";

const store = restateJournal({ ingressUrl: "http://localhost:8080" });
const agent = (prompt: string) => ({ adapter: openai("gpt-5.5"), prompt });
await serve({ services: [agentWorkflow({ name: "Agent", journal: { store }, agent }), store.object] });`,
    },
    mistakes: [
      "A step of Restate (`ctx.run`) for each call. A run is one step, and its journal knows the calls.",
      "Leaving `store.object` out of `services`: then the journal has no place.",
      "A tool with effects that does not pass `idempotencyKey` of its context to the service that it calls.",
    ],
  },
  conformance: {
    entry:
      "`conform` of `@fullstop/conformance/vitest` makes tests. `judge` of `@fullstop/conformance` needs no test runner. For a whole program use `npx fullstop conformance agent`.",
    example: {
      ts: `import { conform } from "@fullstop/conformance/vitest";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiChat } from "@fullstop/provider-openai";

conform({ wire: openaiChatWire, adapter: (endpoint) => openaiChat("gpt-5.5", endpoint) });`,
    },
    mistakes: [
      "A factory that ignores `endpoint`: the suite then cannot put its server in the place of the provider.",
      "`notClaimed` for a clause that is kept: the suite reports it, so that the list stays true.",
      "A mock of the adapter. The suite writes the bytes of the provider; test the adapter itself.",
    ],
  },
  cli: {
    entry: "The command is `fullstop`, and `fullstop help <command>` explains each of its parts.",
    example: {
      sh: "npx fullstop init agent\nnpx fullstop conformance agent -- node my-agent.js\nnpx fullstop conformance explain stop.cut",
    },
    mistakes: [
      "Judging a program that does not read the address of its provider from the environment (`OPENAI_BASE_URL`, `ANTHROPIC_BASE_URL`, `GOOGLE_GEMINI_BASE_URL`): the suite then cannot play the model.",
      "Judging a program that asks a question, does not end when the model is done, or has only tools without a visible effect.",
      "Taking exit code 2 for a broken clause. 1 is a finding; 2 means that the command could not do its work.",
    ],
  },
  "provider-mock": {
    entry: "Import from `@fullstop/provider-mock`, in tests.",
    example: {
      ts: `import { run } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";

const model = mock(["Hello."]);
console.log(await run({ adapter: model, prompt: "Hi." }).text());
model.assertDone();`,
    },
    mistakes: [
      "A script with too few replies: the loop asks again after a cut call, at most twice.",
      '`input` for a call that must be cut. Give its text: `inputText: \'{"path":"/\'`.',
      "No `assertDone()`: then a reply that was never requested is not noticed.",
    ],
  },
  ...providerNotes,
  ...journalNotes,
  gateway: {
    entry:
      "`npx fullstop gateway` starts it; import from `@fullstop/gateway` to start it in a program. A program in TypeScript that needs only its own requests guarded uses `@fullstop/guard`.",
    example: {
      sh: "npx fullstop gateway --to openai --port 4141 &\nOPENAI_BASE_URL=http://127.0.0.1:4141/openai/v1 python agent.py",
    },
    mistakes: [
      "A base URL without the name of the upstream: `/openai/v1`, and not `/v1`, if there are several.",
      "A port that is open to others. The gateway has no login: it listens on the loopback by default.",
      "A host that reports cut replies as finished, without `mislabels-truncation` in its `--to`.",
    ],
  },
};
