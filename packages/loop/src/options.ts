import {
  type Adapter,
  frozenCopy,
  type Message,
  type NativeTool,
  type ToolSpec,
  type TurnRequest,
  type UserMessage,
  validateHistory,
} from "@fullstop/core";
import type { Approve } from "./approval.ts";
import { type Attempts, type Patience, patienceOf } from "./attempts.ts";
import type { Compact } from "./compaction.ts";
import type { RunEvent } from "./event.ts";
import { type Journal, memoryOf } from "./journal.ts";
import {
  callback,
  count,
  duration,
  having,
  type Kind,
  type Kinds,
  listOf,
  object,
  oneOf,
  refuseStrange,
  text,
} from "./kinds.ts";
import { type Bounds, boundsOf, type Limits, type Price } from "./limits.ts";
import { flawIn, isObject, strangeIn } from "./shape.ts";
import type { Steer } from "./steering.ts";
import { specOf, type Tool } from "./tool.ts";
import { type Pending, pendingOf, type Waiting } from "./waiting.ts";

/** A forced `toolChoice` holds for the first turn; after it the model is free. `maxTokens` is where the cap starts: a cut call may raise it. */
export interface RunOptions extends Omit<TurnRequest, "messages" | "tools"> {
  /** The model that is asked: `anthropic(model)`, `openai(model)` and so on make one. */
  readonly adapter: Adapter;
  /** The conversation so far. With `prompt`: this conversation, and now this. */
  readonly messages?: readonly Message[] | undefined;
  /** What the user says: text, or a list of text, image and file blocks. */
  readonly prompt?: UserMessage["content"] | undefined;
  /** The tools that the model may call. A `NativeTool` is defined, and as a rule run, by its provider. */
  readonly tools?: readonly (Tool | NativeTool)[] | undefined;
  /** What the run may use. */
  readonly limits?: Limits | undefined;
  /** What a reply costs; `outcome.cost` is the sum of all. What it throws, and what is no number, `outcome()` rejects with. */
  readonly price?: Price | undefined;
  /** How often the loop tries again before a turn counts as failed. */
  readonly attempts?: Attempts | undefined;
  /** Asked once a turn, when the context window is full. `dropOldest` is one that needs no model. */
  readonly compact?: Compact | undefined;
  /** Asked instead, from then on, once a reply was refused or filtered. */
  readonly fallback?: Adapter | undefined;
  /** Tools of a turn that run at the same time; 8 without it. */
  readonly concurrency?: number | undefined;
  /** Characters of one tool result; 262,144 without it. Of a longer output the beginning and the end are kept, and the model is told what is missing. */
  readonly maxResultChars?: number | undefined;
  /** Asked about each call of a turn before the first of them runs; without it all run. If it throws, the call does not run. Its signal aborts with the run. */
  readonly approve?: Approve | undefined;
  /**
   * Asked before each request, when the results of the calls before it are in and `onEvent` has seen them; not before another attempt at the same one.
   * If it throws, the run ends and `outcome()` rejects with what it threw.
   */
  readonly steer?: Steer | undefined;
  /** Goes on with a run that ended `waiting`, from its `messages`. A call that is undecided still is asked about. */
  readonly waiting?: Waiting | undefined;
  /** Remembers what the run did: the same options with the same `runId` go on where it was killed. Nothing is remembered without it. */
  readonly journal?: Journal | undefined;
  /** The name of this run, with which all its keys begin; a random one without it. A journal needs one. */
  readonly runId?: string | undefined;
  /** Aborts the run: the reply, the tools and the wait under way. It then ends `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that a reply may stay silent before it counts as interrupted; `readTurn` has the default. */
  readonly idleMs?: number | undefined;
  /** Milliseconds in which something of a reply must have come; without it only `idleMs` counts. A model may think long before it shows anything. */
  readonly firstEventMs?: number | undefined;
  /** Watches the run in step with it. What it throws, or a promise of it rejects with, does not touch the run: the first of it is the outcome's `observerError`. */
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
}

/** Options that passed their checks, in the shape the loop needs. */
export interface Plan {
  readonly adapter: Adapter;
  readonly messages: readonly Message[];
  /** What is the same in every request. */
  readonly asked: Omit<TurnRequest, "messages">;
  readonly tools: ReadonlyMap<string, Tool>;
  /** Tools that a provider defines, without an `execute` of ours. */
  readonly natives: readonly NativeTool[];
  readonly concurrency: number;
  readonly maxResultChars: number;
  readonly approve: Approve | undefined;
  readonly waiting: Pending | undefined;
  readonly steer: Steer | undefined;
  readonly journal: Journal;
  readonly runId: string;
  readonly limits: Bounds;
  readonly price: Price | undefined;
  readonly attempts: Patience;
  readonly compact: Compact | undefined;
  readonly fallback: Adapter | undefined;
  readonly idleMs: number | undefined;
  readonly firstEventMs: number | undefined;
}

const adapterKind: Kind = {
  holds: (value) => isObject(value) && value["contract"] === 1,
  words: "an adapter of contract 1, such as `anthropic(model)` gives",
};
const isChoice = (value: unknown): boolean =>
  choices.holds(value) || (isObject(value) && typeof value["name"] === "string");
const choices = oneOf("auto", "none", "required");

const kinds: Kinds<Required<RunOptions>> = {
  adapter: adapterKind,
  fallback: adapterKind,
  messages: listOf("messages"),
  prompt: {
    holds: (value) => typeof value === "string" || Array.isArray(value),
    words: "a text, or a list of text, image and file blocks",
  },
  system: text,
  tools: listOf("tools"),
  toolChoice: { holds: isChoice, words: `${choices.words}, or \`{ name }\`` },
  maxTokens: count,
  effort: oneOf("none", "low", "medium", "high"),
  cache: oneOf("auto", "off"),
  limits: object,
  attempts: object,
  price: callback,
  compact: callback,
  concurrency: count,
  maxResultChars: count,
  approve: callback,
  steer: callback,
  waiting: object,
  journal: having(["step"], "a journal, such as `await fileJournal(path)` gives"),
  runId: text,
  signal: having(["addEventListener", "removeEventListener"], "an `AbortSignal`"),
  idleMs: duration,
  firstEventMs: duration,
  onEvent: callback,
};

/** Throws for options that cannot work. */
export function planOf(options: RunOptions): Plan {
  refuseStrange(options, kinds);
  usable(options);
  const {
    adapter,
    messages = [],
    prompt,
    tools = [],
    limits,
    signal: _signal,
    onEvent: _onEvent,
    idleMs,
    ...rest
  } = options;
  const {
    concurrency = 8,
    maxResultChars = 262_144,
    approve,
    waiting,
    steer,
    journal,
    runId,
    price,
    ...others
  } = rest;
  const { attempts, compact, fallback, firstEventMs, ...asked } = others;
  const specs = tools.map(told);
  const names = namesOf(specs);
  choosable(asked.toolChoice, names, specs.length);
  for (const tool of tools.filter(isTool)) continuable(tool, names);
  const past = conversation(messages, prompt);
  return {
    adapter,
    messages: past,
    asked: {
      ...asked,
      toolChoice: waiting ? unforced(asked.toolChoice) : asked.toolChoice,
      tools: specs.length > 0 ? specs : undefined,
    },
    tools: new Map(tools.filter(isTool).map((tool) => [tool.name, tool])),
    natives: tools.filter((tool): tool is NativeTool => !isTool(tool)),
    concurrency,
    maxResultChars,
    approve,
    steer,
    ...memoryOf(journal, runId),
    waiting: waiting && pendingOf(waiting, { messages: past, prompt, approve }),
    limits: boundsOf(limits, price),
    price,
    attempts: patienceOf(attempts),
    compact,
    fallback,
    idleMs,
    firstEventMs,
  };
}

/** The turn that waited was the first one. */
const unforced = (choice: TurnRequest["toolChoice"]): TurnRequest["toolChoice"] =>
  choice === "none" ? "none" : "auto";

function usable({ adapter, fallback }: RunOptions): void {
  if (adapter === undefined)
    throw new TypeError(`\`adapter\` is missing. It must be ${adapterKind.words}.`);
  if (fallback === adapter)
    throw new TypeError("`fallback` is `adapter` itself. Give another adapter, or none.");
}

const isTool = (tool: Tool | NativeTool): tool is Tool => "execute" in tool;

/** What the provider is told of a tool. One that the provider defines and the program runs is told of in the provider's words. */
function told(tool: Tool | NativeTool, position: number): ToolSpec | NativeTool {
  if (typeof tool !== "object" || tool === null)
    throw new TypeError(`\`tools[${position}]\` must be a tool, such as \`tool({ … })\` gives.`);
  const spec = isTool(tool) ? specOf(tool) : undefined;
  if ("provider" in tool) return tool;
  if (spec === undefined)
    throw new TypeError(`Tool "${tool.name}" has neither an \`execute\` nor a \`provider\`.`);
  return spec;
}

function namesOf(specs: readonly (ToolSpec | NativeTool)[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { name } of specs) {
    if (name === undefined) continue;
    if (names.has(name))
      throw new TypeError(`Two tools are named "${name}". Each tool needs a name of its own.`);
    names.add(name);
  }
  return names;
}

function choosable(
  choice: TurnRequest["toolChoice"],
  names: ReadonlySet<string>,
  tools: number,
): void {
  if (typeof choice === "object" && !names.has(choice.name))
    throw new TypeError(`\`toolChoice\` names "${choice.name}", which is not among \`tools\`.`);
  if (choice === "required" && tools === 0)
    throw new TypeError('`toolChoice: "required"` needs `tools`.');
}

/** A hint that names a tool which the model may not call would only start a loop. */
function continuable({ name, salvage }: Tool, names: ReadonlySet<string>): void {
  if (salvage === undefined) return;
  if (salvage.continueWith.length === 0)
    throw new TypeError(`The \`salvage\` of tool "${name}" names no tool to continue with.`);
  const missing = salvage.continueWith.find((other) => !names.has(other));
  if (missing !== undefined)
    throw new TypeError(
      `The \`salvage\` of tool "${name}" continues with "${missing}", which is not among \`tools\`.`,
    );
}

/** Copies that nobody changes while the run goes on, so that each message is looked at once. */
function conversation(
  messages: readonly Message[],
  prompt: UserMessage["content"] | undefined,
): readonly Message[] {
  const strange = strangeIn(messages);
  if (strange !== undefined) throw new TypeError(`\`messages\` is not a conversation: ${strange}.`);
  const flawed = typeof prompt === "string" || prompt === undefined ? undefined : flawIn(prompt);
  if (flawed !== undefined) throw new TypeError(`The \`prompt\` holds ${flawed}.`);
  const all: readonly Message[] =
    prompt === undefined ? messages : [...messages, { role: "user", content: prompt }];
  if (prompt?.length === 0) throw new TypeError("The `prompt` is empty.");
  if (all.length === 0)
    throw new TypeError("There is nothing to answer: give a `prompt`, or `messages`.");
  const [flaw] = validateHistory(all);
  if (flaw !== undefined) {
    const call = flaw.id === undefined ? "" : ` (call ${flaw.id})`;
    throw new TypeError(
      `\`messages\` is not a valid conversation: message ${flaw.at}${call}: ${flaw.rule}. \`repairHistory(messages)\` mends it.`,
    );
  }
  return all.map(frozenCopy);
}
