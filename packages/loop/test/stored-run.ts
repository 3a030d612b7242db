import {
  agentTool,
  jsonSchema,
  type Message,
  needsInput,
  type Outcome,
  type RunOptions,
  run,
  type Settle,
  type Tool,
} from "@fullstop/loop";
import { mock, type Script } from "@fullstop/provider-mock";
import { type JournalLine, memoryJournal } from "./memory.ts";
import { recorder } from "./tools.ts";

/** A run whose journal is stored in `journals/`. */
export interface StoredRun {
  readonly script: Script;
  /** The replies to the sub-agent. */
  readonly inner?: Script;
  readonly waiting?: RunOptions["waiting"];
  readonly options?: Partial<RunOptions>;
  /** The process is killed when it records one of these keys. */
  readonly killedAt?: RegExp;
}

const inputSchema = jsonSchema({ type: "object" });
const call = (name: string, id: string, input: object = {}) => ({ name, id, input });
const city = jsonSchema({
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
});

export const storedRuns: Readonly<Record<string, StoredRun>> = {
  steps: {
    script: [
      { text: "Half", stop: null },
      { calls: [call("look", "l"), call("pay", "p", { cents: 5 })] },
      { stop: "context-window" },
      "Done.",
    ],
    options: {
      approve: ({ name }) => name === "look" || { deny: "Too much." },
      beforeTurn: ({ turn }) =>
        turn === 2 ? { messages: [{ role: "user", content: "Hurry." }] } : undefined,
      recovery: { maxWaitMs: 0, compact: (messages) => messages.slice(-1) },
    },
  },
  waiting: {
    script: [
      { calls: [call("look", "l"), call("sign", "s"), call("ask", "a"), call("ask", "b")] },
      "Done.",
    ],
    waiting: { decisions: { s: true, b: { deny: "Not now." } }, results: { a: "Blue." } },
  },
  turn: {
    script: ["Done."],
    waiting: { decisions: { s: true }, results: { a: "Blue." } },
  },
  doubts: {
    script: [{ calls: [call("pay", "p1"), call("pay", "p2"), call("pay", "p3")] }, "Done."],
    killedAt: /^r\/1\/\d$/,
  },
  inputs: {
    script: [{ calls: [call("order", "o"), call("look", "l")] }, "Done."],
    waiting: { inputs: { o: "L", "o/attempt/2": "blue" } },
  },
  agents: {
    script: [{ calls: [call("agent", "g"), call("look", "l")] }, "Done."],
    inner: [{ calls: [call("sign", "s"), call("ask", "a"), call("pay", "p")] }, "Signed."],
    waiting: { decisions: { "r/1/1/1/1": true }, results: { "r/1/1/1/2": "Blue." } },
  },
  output: {
    script: [
      { calls: [call("final_output", "f", { city: 1 })] },
      { calls: [call("look", "l"), call("final_output", "g", { city: "Bern" })] },
      { calls: [call("final_output", "h", { city: "Bern" })] },
    ],
    options: { output: city },
  },
};

const settlements: Readonly<Record<string, Awaited<ReturnType<Settle>>>> = {
  p1: { result: "paid before" },
  p2: "unknown",
};
const settle: Settle = ({ id }) => settlements[id] ?? "did-not-happen";

/** `pay` has effects, `sign` needs a decision, `ask` runs elsewhere, `order` asks a person twice. */
function toolsOf(inner: Script, ran: string[]): readonly Tool[] {
  const named = (name: string, output: string): Tool => ({
    ...recorder(name, (_, { idempotencyKey }) => {
      ran.push(idempotencyKey);
      return output;
    }),
  });
  const pay = named("pay", "paid");
  const sign: Tool = { ...named("sign", "signed"), needsApproval: true, revision: "1" };
  const ask: Tool = { name: "ask", description: "Asks.", inputSchema };
  const order: Tool = {
    ...named("order", ""),
    execute: (_input: never, { given }) => {
      if (given === undefined) return needsInput("Which size?", { step: 1 });
      const { step, size } = given.state as { readonly step: number; readonly size?: unknown };
      if (step === 1) return needsInput("Which colour?", { step: 2, size: given.input });
      return `ordered ${size} ${given.input}`;
    },
  };
  const agent = agentTool({
    name: "agent",
    description: "An agent.",
    inputSchema,
    run: () => ({ adapter: mock(inner), prompt: "Sign.", tools: [pay, sign, ask] }),
  });
  return [{ ...named("look", "seen"), idempotent: true }, pay, sign, ask, order, agent];
}

/** A journal as it is stored. */
export interface StoredJournal {
  readonly lines: readonly JournalLine[];
  /** The conversation at the end of the run. */
  readonly messages: readonly Message[];
  /** The turn that the run began with, if it began with one. */
  readonly turn?: unknown;
}
interface Continued {
  readonly outcome: Outcome;
  readonly lines: readonly JournalLine[];
  /** The keys of the calls that ran now. */
  readonly ran: readonly string[];
}

/** Goes on with a run until it has ended, after each kill and each wait. */
export async function goOn(
  { script, inner = [], waiting, options, killedAt }: StoredRun,
  { lines, turn }: Pick<StoredJournal, "lines" | "turn">,
): Promise<Continued> {
  const ran: string[] = [];
  const killed = new Error("The process was killed.");
  const store = memoryJournal(lines, ({ key, begun }) => {
    if (!begun && killedAt?.test(key)) throw killed;
  });
  const repliesOf = (pattern: RegExp): number =>
    store.lines.filter(({ key }) => pattern.test(key)).length;
  const attempt = (): Promise<Outcome> =>
    run({
      adapter: mock(script.slice(repliesOf(/^r\/\d+\/model/))),
      tools: toolsOf(inner.slice(repliesOf(/^r\/\d+\/\d+\/\d+\/model/)), ran),
      ...(turn === undefined
        ? { prompt: "Go." }
        : { messages: [{ role: "user", content: "Go." }] }),
      journal: { store, runId: "r", settle },
      ...(store.lines.length > 0 && waiting && { waiting }),
      ...(turn !== undefined && { waiting: { ...waiting, turn } }),
      ...options,
    }).outcome();
  for (let attempts = 1; attempts <= 5; attempts++) {
    const outcome = await attempt().catch((thrown: unknown) => {
      if (thrown === killed) return undefined;
      throw thrown;
    });
    if (outcome !== undefined && outcome.status !== "waiting")
      return { outcome, lines: store.lines, ran };
  }
  throw new Error("The run did not end.");
}
