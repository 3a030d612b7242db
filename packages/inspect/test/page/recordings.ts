import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answer, serve } from "@fullstop/conformance/server";
import { wires } from "@fullstop/conformance/wires";
import { fileJournal } from "@fullstop/journal-file";
import {
  agentTool,
  jsonSchema,
  type Outcome,
  type RunOptions,
  run,
  type Tool,
  tool,
  UnknownOutcome,
} from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { mock, type Say } from "@fullstop/provider-mock";
import { type Recorder, record } from "../../src/index.ts";

type Blocks = Parameters<typeof wires.anthropic.frames>[0]["blocks"];

/** The text of a recording, and how the run ended. */
export interface Recorded {
  readonly text: string;
  readonly outcome: Outcome;
}

const anyObject = jsonSchema({ type: "object" });
const toolOf = (name: string, execute: NonNullable<Tool["execute"]>): Tool =>
  tool({ name, description: `The tool ${name}.`, inputSchema: anyObject, execute });

/** Gives a recorder to `work`, and returns what it wrote. */
export async function recordWith(
  work: (recorder: Recorder, folder: string) => unknown,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "inspect-page-"));
  const file = join(folder, "run.jsonl");
  try {
    const recorder = record(file);
    await work(recorder, folder);
    await recorder.close();
    return readFileSync(file, "utf8");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function recordRun(options: (folder: string) => RunOptions): Promise<Recorded> {
  let outcome: Outcome | undefined;
  const text = await recordWith(async (onEvent, folder) => {
    outcome = await run({ ...options(folder), onEvent }).outcome();
  });
  if (outcome === undefined) throw new Error("The run has no outcome.");
  return { text, outcome };
}

/** The content of a file that the model writes, and where the reply is cut. */
const settings = [
  "export interface Limits {",
  "  readonly turns: number;",
  "  readonly tokens: number;",
  "}",
  "",
  "export const limits: Limits = { turns: 64, tokens: 100_000 };",
  "",
].join("\n");
const wholeInput = { path: "src/limits.ts", content: settings };

const research = agentTool({
  name: "research",
  description: "Answers a question.",
  inputSchema: anyObject,
  run: () => ({ adapter: mock([{ text: "Nothing else reads them." }]), prompt: "Who reads them?" }),
});

/**
 * A reply that a host cut at the cap and relabelled as finished; the same turn again with a larger
 * cap; four tools side by side, one of them with an error, one a sub-agent, and one in doubt.
 */
export async function recordStory(): Promise<Recorded> {
  const replies: readonly Played[] = [
    {
      blocks: [
        { text: "I will rewrite the limits, then refund the order." },
        { name: "write_file", id: "toolu_01", input: wholeInput },
      ],
      output: 1024,
      lost: 1,
    },
    {
      blocks: [
        { name: "write_file", id: "toolu_02", input: wholeInput },
        { name: "read_file", id: "toolu_03", input: { path: "src/missing.ts" } },
        { name: "research", id: "toolu_04", input: { question: "Who reads the limits?" } },
        { name: "refund", id: "toolu_05", input: { order: "A-7", amount: 120 } },
      ],
      output: 1290,
    },
  ];
  const serving = await serve((_, index) => answerWith(replies[index]));
  try {
    return await recordRun((folder) => ({
      adapter: anthropic("claude-sonnet-5-5", { baseURL: serving.url, apiKey: "not-a-key" }),
      request: { maxTokens: 1024 },
      system: "Change the files of a project. Ask before you pay.",
      prompt: "Raise the limits, and refund order A-7.",
      tools: [
        toolOf("write_file", () => "Wrote 146 bytes."),
        toolOf("read_file", () => Promise.reject(new Error("src/missing.ts does not exist."))),
        research,
        toolOf("refund", () =>
          Promise.reject(new UnknownOutcome("The bank closed the connection.")),
        ),
      ],
      journal: {
        store: fileJournal(join(folder, "journal.jsonl")),
        runId: "order-A-7",
        settle: () => "later" as const,
      },
    }));
  } finally {
    await serving.close();
  }
}

interface Played {
  readonly blocks: Blocks;
  readonly output: number;
  /** So many of the last pieces of inputs do not arrive. */
  readonly lost?: number;
}

function answerWith(reply: Played | undefined): Answer {
  const { blocks, output, lost = 0 } = reply ?? { blocks: [{ text: "Done." }], output: 12 };
  const calls = blocks.some((block) => "name" in block);
  const { upToTerminal, after = [] } = wires.anthropic.frames({
    blocks,
    stop: calls ? "tool_use" : "end_turn",
    output,
  });
  const all = [...upToTerminal, ...after];
  const pieces = all.filter((data) => data.includes("input_json_delta"));
  const left = new Set(lost === 0 ? [] : pieces.slice(-lost));
  const encoder = new TextEncoder();
  return {
    chunks: all
      .filter((data) => !left.has(data))
      .map((data) => encoder.encode(`data: ${data}\n\n`)),
  };
}

/** A run of the mock, with the tools that its script calls. */
export const recordScript = (
  steps: readonly Say[],
  options: Partial<Pick<RunOptions, "approve" | "limits">> = {},
): Promise<Recorded> => {
  const names = new Set(steps.flatMap(({ calls = [] }) => calls.map(({ name }) => name)));
  return recordRun(() => ({
    adapter: mock(steps),
    prompt: "Go.",
    tools: [...names].filter(isToolName).map((name) => toolOf(name, () => "ok")),
    ...options,
  }));
};

/** A model may call a tool by a name that no tool can have. */
const isToolName = (name: string): boolean => /^[\w-]+$/.test(name);

/** A call in each of `turns` turns. */
export const recordLong = (turns: number): Promise<Recorded> =>
  recordScript(
    [
      ...Array.from({ length: turns - 1 }, (_, index) => ({
        text: `Step ${index + 1}. ${"I look at the next part of the file. ".repeat(4)}`,
        calls: [{ name: "look", input: { part: index + 1 } }],
      })),
      { text: "That was all." },
    ],
    { limits: { turns: turns + 1, toolCalls: turns + 1 } },
  );
