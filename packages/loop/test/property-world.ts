import {
  type Adapter,
  type AgentOptions,
  agentTool,
  type Decision,
  jsonSchema,
  type Outcome,
  type ReviewedCall,
  type RunEvent,
  type RunOptions,
  run,
  type Settlement,
  type Tool,
  type ToolContext,
  type TurnChanges,
} from "@fullstop/loop";
import { mock, type Say } from "@fullstop/provider-mock";
import fc from "fast-check";
import { type JournalLine, memoryJournal } from "./memory.ts";

const toolNames = [
  "fine",
  "fails",
  "narrow",
  "slow",
  "asks",
  "outside",
  "agent",
  "again",
  "finish",
  "nowhere",
] as const;
type ToolName = (typeof toolNames)[number];
const call = fc.record({
  name: fc.constantFrom(...toolNames, "fine", "narrow", "narrow", "narrow"),
  part: fc.constantFrom(1, 1, 1, 1, 0.6),
});
const changes = ["messages", "tools", "adapter", "toolChoice", "maxTokens", "system"] as const;

interface ModelTurn {
  /** `part`: how much of the input arrives; 1 is all of it. */
  readonly calls: readonly { readonly name: ToolName; readonly part: number }[];
  readonly stop: Say["stop"];
  /** The adapters before this one fail. */
  readonly answeredBy: number;
  readonly failure: "refusal" | "content-filter" | "error";
}
/** What becomes of a run: the replies of its models, its options and its crashes. */
export interface World {
  readonly turns: readonly ModelTurn[];
  /** What the model answers when it has called enough. Then it gives a good answer. */
  readonly answers: readonly ("cut" | "cutWhole" | "invalid" | "prose")[];
  readonly output: "format" | "tool" | undefined;
  /** What the sub-agent does. */
  readonly agent: "answers" | "calls" | "asks" | "fails";
  readonly approve: "yes" | "no" | "later" | undefined;
  readonly change: (typeof changes)[number] | undefined;
  readonly changedTurn: number;
  readonly stopAt: number | undefined;
  readonly turnLimit: number;
  readonly concurrency: number;
  readonly fallbacks: number;
  /** Where the first life is killed, as a part of its journal. */
  readonly killAt: number;
  /** It is killed while a tool runs, if one does. */
  readonly diesInTool: boolean;
  /** Abort the second life at this event; most are shorter. */
  readonly abortAt: number;
  /** What `settle` answers about a call in doubt. */
  readonly settle: "result" | "did-not-happen" | "unknown" | "later" | undefined;
  /** What a person says later. */
  readonly settled: "result" | "did-not-happen" | "unknown";
  /** A run that waits continues from its turn under another id, where this is possible. */
  readonly continuesTurn: boolean;
  /** A life that continues one that waited is killed too, and started again. */
  readonly killsAnswered: boolean;
}
const turn: fc.Arbitrary<ModelTurn> = fc.record({
  calls: fc.array(call, { minLength: 1, maxLength: 3 }),
  stop: fc.constantFrom(
    ...([undefined, undefined, undefined, undefined, "pause", "length", null] as const),
  ),
  answeredBy: fc.constantFrom(0, 0, 0, 1, 2),
  failure: fc.constantFrom("refusal", "content-filter", "error"),
});
const maybe = <T>(...values: readonly T[]): fc.Arbitrary<T | undefined> =>
  fc.constantFrom<T | undefined>(undefined, undefined, ...values);

export const world: fc.Arbitrary<World> = fc.record({
  turns: fc.array(turn, { maxLength: 4 }),
  answers: fc.array(fc.constantFrom("cut", "cutWhole", "invalid", "prose"), { maxLength: 2 }),
  output: maybe("format", "tool"),
  agent: fc.constantFrom("answers", "calls", "asks", "fails"),
  approve: maybe("yes", "no", "later"),
  change: maybe(...changes),
  changedTurn: fc.integer({ min: 1, max: 3 }),
  stopAt: maybe(1, 2),
  turnLimit: fc.integer({ min: 1, max: 8 }),
  concurrency: fc.integer({ min: 1, max: 4 }),
  fallbacks: fc.integer({ min: 0, max: 2 }),
  killAt: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
  diesInTool: fc.boolean(),
  abortAt: fc.integer({ min: 1, max: 80 }),
  settle: maybe("result", "did-not-happen", "unknown", "later", "later"),
  settled: fc.constantFrom("result", "did-not-happen", "unknown"),
  continuesTurn: fc.boolean(),
  killsAnswered: fc.boolean(),
});

/** An execution of a tool, by what the model wrote and by its journal key. */
export interface Execution {
  readonly mark: string;
  readonly key: string;
  /** Lines of the journal when it started. */
  readonly linesBefore: number;
  readonly context: ToolContext;
}
export interface Life {
  readonly outcome: Outcome;
  readonly events: readonly RunEvent[];
  readonly ran: readonly Execution[];
  readonly lines: readonly JournalLine[];
  /** The most calls of the tool `narrow` that ran at the same time. */
  readonly overlap: number;
}
interface LifeOptions {
  readonly from: readonly JournalLine[];
  readonly abortAt?: number;
  /** Default: a new run. */
  readonly begin?: Beginning;
}
/** What is the same in all lives of a run, and the answers of those that continue one that waited. */
export interface Beginning {
  readonly runId: string;
  readonly options: Pick<RunOptions, "prompt" | "messages" | "waiting">;
}
export const newRun: Beginning = { runId: "r", options: { prompt: "Go." } };

const object = jsonSchema({ type: "object" });
export const answer: Readonly<Record<string, string>> = { mark: "answer" };
const answerSchema = jsonSchema({
  type: "object",
  properties: { mark: { type: "string" } },
  required: ["mark"],
});
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs one life of a world. */
export async function live(
  given: World,
  { from, abortAt, begin: { runId, options: begun } = newRun }: LifeOptions,
): Promise<Life> {
  const controller = new AbortController();
  const events: RunEvent[] = [];
  const store = memoryJournal(from);
  const { tools, ran, peak } = createTools(given, () => store.lines.length);
  const [adapter, ...fallbacks] = createAdapters(given);
  const options: RunOptions = {
    adapter,
    tools: tools.filter(({ name }) => name !== "finish" || given.output === undefined),
    limits: { turns: given.turnLimit, concurrency: given.concurrency },
    recovery: {
      requests: 2,
      maxWaitMs: 0,
      fallback: fallbacks.slice(0, given.fallbacks).map((one) => ({ adapter: one })),
    },
    ...(given.output && { output: answerSchema }),
    ...approveOf(given),
    ...(given.change && { beforeTurn: ({ turn: number }) => changesOf(given, number, tools) }),
    ...(given.stopAt && { stopWhen: ({ turns }) => turns >= (given.stopAt ?? 0) }),
    journal: { store, runId, ...(given.settle && { settle: () => settlementOf(given.settle) }) },
    signal: controller.signal,
    onEvent: (event) => {
      if (events.push(event) === abortAt) controller.abort();
    },
    ...begun,
  };
  const outcome = await run(options).outcome();
  return { outcome, events, ran, lines: store.lines, overlap: peak() };
}

const settlementOf = (settle: World["settle"]): Settlement =>
  settle === undefined || settle === "result" ? { result: "settled" } : settle;

/** How a run that waits goes on, days later: in its journal, or from its turn as another run. */
export function continued(
  given: World,
  { runId, options }: Beginning,
  outcome: Outcome,
): Beginning {
  if (outcome.status !== "waiting") return { runId, options };
  const answersTo = <T>(needs: ReviewedCall["needs"], value: T): Readonly<Record<string, T>> =>
    Object.fromEntries(
      outcome.calls.filter((one) => one.needs === needs).map(({ id }) => [id, value]),
    );
  const answers = {
    decisions: { ...options.waiting?.decisions, ...answersTo<Decision>("decision", true) },
    results: { ...options.waiting?.results, ...answersTo("result", "from outside") },
    settlements: {
      ...options.waiting?.settlements,
      ...answersTo("settlement", settlementOf(given.settled)),
    },
  };
  const { turn, messages } = JSON.parse(JSON.stringify(outcome)) as Outcome;
  if (given.continuesTurn && !("continuesInJournal" in turn))
    return { runId: `${runId}s`, options: { messages, waiting: { ...answers, turn } } };
  return { runId, options: { ...options, waiting: { ...options.waiting, ...answers } } };
}

/** The conversation decides about the reply, so a resumed run gets the same ones. */
function createAdapters(given: World): [Adapter, ...Adapter[]] {
  const adapterAt = (index: number): Adapter => ({
    ...mock(
      Array.from({ length: 80 }, () => ({ messages }) => {
        const at = messages.filter(({ role }) => role === "assistant").length;
        const next = given.turns[at];
        if (next === undefined) return answerAt(at - given.turns.length, given);
        return index < next.answeredBy ? { stop: next.failure } : toReply(next, at);
      }),
    ),
    ...(given.output === "format" && { outputFormat: "always" as const }),
    model: `model-${index}`,
  });
  return [adapterAt(0), adapterAt(1), adapterAt(2)];
}

/** Every call has a mark: its turn, its position, its tool. */
const toReply = ({ calls, stop }: ModelTurn, at: number): Say => ({
  calls: calls.map(({ name, part }, position) => {
    const whole = JSON.stringify({ mark: `${at}.${position}.${name}` });
    return { name, inputText: whole.slice(0, Math.ceil(whole.length * part)) };
  }),
  stop,
});

function answerAt(attempt: number, { answers, output }: World): Say {
  const kind = answers[attempt];
  const whole = JSON.stringify(kind === "cutWhole" ? { mark: "cut" } : answer);
  const text = { cut: whole.slice(0, -3), cutWhole: whole, invalid: '{"mark":7}', prose: "Done." }[
    kind ?? "cutWhole"
  ];
  const said = kind === undefined ? whole : text;
  const stop = kind === "cut" || kind === "cutWhole" ? ("length" as const) : undefined;
  const asText = output !== "tool" || kind === "prose";
  return asText
    ? { text: said, stop }
    : { calls: [{ name: "final_output", inputText: said }], stop };
}

/** What `approve: "no"` denies. */
export const deniedTools: readonly string[] = ["fine", "narrow", "slow"];

function approveOf({ approve }: World): Pick<RunOptions, "approve"> {
  if (approve === undefined) return {};
  const decisionAbout = ({ name }: ReviewedCall): Decision => {
    if (approve === "later") return name === "asks" || name === "pay" ? "later" : true;
    return approve === "yes" || !deniedTools.includes(name);
  };
  return { approve: decisionAbout };
}

function changesOf(given: World, turnNumber: number, tools: readonly Tool[]): TurnChanges {
  if (turnNumber !== given.changedTurn) return {};
  const all: Readonly<Record<(typeof changes)[number], () => TurnChanges>> = {
    messages: () => ({ messages: [{ role: "user", content: "Hm." }] }),
    tools: () => ({ tools: tools.slice(0, 3) }),
    adapter: () => ({ adapter: { ...createAdapters(given)[0], model: "changed" } }),
    toolChoice: () => ({ toolChoice: "required" }),
    maxTokens: () => ({ maxTokens: 50 }),
    system: () => ({ system: "Be brief." }),
  };
  return given.change === undefined ? {} : all[given.change]();
}

function createTools(given: World, countLines: () => number) {
  const ran: Execution[] = [];
  let running = 0;
  let peak = 0;
  const note = (name: string, more: Partial<Tool> = {}): Tool => ({
    name,
    description: `The tool ${name}.`,
    inputSchema: object,
    execute: async (input: Readonly<Record<string, unknown>>, context) => {
      record(input, context);
      await tick();
      return "ok";
    },
    ...more,
  });
  const record = (input: Readonly<Record<string, unknown>>, context: ToolContext): void => {
    const { idempotencyKey: key } = context;
    ran.push({ mark: String(input["mark"]), key, linesBefore: countLines(), context });
  };
  const { execute: _, ...outside } = note("outside");
  const tools: readonly Tool[] = [
    note("fine"),
    agentTool({
      name: "agent",
      description: "An agent.",
      inputSchema: object,
      run: ({ mark }) => agentOptions(given, String(mark), note),
    }),
    note("fails", {
      execute: (input: Readonly<Record<string, unknown>>, context) => {
        record(input, context);
        throw new Error("No.");
      },
    }),
    note("narrow", {
      concurrency: 1,
      execute: async (input: Readonly<Record<string, unknown>>, context) => {
        record(input, context);
        running += 1;
        peak = Math.max(peak, running);
        await tick();
        running -= 1;
      },
    }),
    note("slow", {
      async *execute(input: Readonly<Record<string, unknown>>, context) {
        record(input, context);
        yield 1;
        await tick();
        yield 2;
        return "ok";
      },
    }),
    note("asks", { needsApproval: true }),
    outside,
    note("again", { idempotent: true }),
    note("finish", { ends: true }),
  ];
  return { tools, ran, peak: () => peak };
}

/** A sub-agent that answers, calls a tool, asks about a call, or fails. */
function agentOptions(
  { agent }: World,
  mark: string,
  note: (name: string, more?: Partial<Tool>) => Tool,
): AgentOptions {
  const first: Readonly<Record<World["agent"], string | Say>> = {
    answers: "I know.",
    calls: { calls: ["1", "2"].map((n) => ({ name: "inner", input: { mark: `${mark}/${n}` } })) },
    asks: { calls: [{ name: "pay", input: { mark: `${mark}/pay` } }] },
    fails: { stop: "refusal" },
  };
  const model = mock(
    Array.from({ length: 20 }, () => ({ messages }) => {
      const isFirst = !messages.some(({ role }) => role === "assistant");
      return isFirst ? first[agent] : "Ready.";
    }),
  );
  return {
    adapter: model,
    prompt: mark,
    tools: [note("inner"), note("pay", { needsApproval: true })],
    recovery: { maxWaitMs: 0 },
  };
}
