import type { FileBlock, ImageBlock, InputSchema, TextBlock, ToolCall } from "@fullstop/core";
import type { PartialInput, SchemaTypes } from "@fullstop/core/adapter";

/** The second argument of `execute`. */
export interface ToolContext {
  /** The call that the gate issued, with the input as the model wrote it. */
  readonly call: ToolCall;
  /**
   * Aborts with the run, and at the time limit of the tool. The model is then told that the outcome
   * of the call is unknown.
   */
  readonly signal: AbortSignal;
  /**
   * `<run>/<turn>/<position>`: unique for each call of a run, even if the provider repeats its ids.
   */
  readonly idempotencyKey: string;
  /** Set if `execute` returned `needsInput(…)` before, and the input has come. */
  readonly given?: GivenInput | undefined;
}
/** What a person answered to `needsInput`, for the next call of `execute`. */
export interface GivenInput {
  /** The answer: what `waiting.inputs` has for this call. */
  readonly input: unknown;
  /** The `state` of the request, as it was stored. */
  readonly state: unknown;
}

const inputRequest: unique symbol = Symbol.for("fullstop.loop.inputRequest");

/** What `needsInput` returns. */
export interface InputRequest {
  readonly [inputRequest]: {
    /** What a person is asked. Plain JSON. */
    readonly question: unknown;
    readonly state: unknown;
  };
}

/**
 * The tool needs something from a person before it can go on. Return it from `execute`: the run ends
 * with the status `waiting`, and `waiting.inputs` answers it, days later if need be. `execute` is
 * then called again, with `context.given`. `question` and `state` are stored as JSON. Needs a
 * journal.
 */
export const needsInput = (question: unknown, state?: unknown): InputRequest => ({
  [inputRequest]: { question, state: state ?? null },
});

export const readInputRequest = (output: unknown): InputRequest[typeof inputRequest] | undefined =>
  (output as Partial<InputRequest> | null | undefined)?.[inputRequest];

/**
 * The output of a tool, if it is more than text: blocks, or an error. An object with other keys is
 * data.
 */
export interface ToolResult {
  /** What the model reads: text, or a list of text, image and file blocks. */
  readonly content: string | readonly (TextBlock | ImageBlock | FileBlock)[];
  /** The call failed, and `content` says how. */
  readonly isError?: boolean | undefined;
}
/**
 * What a tool may return. Text goes to the model as it is, and so do a block, a list of blocks
 * (text, image, file) and a `ToolResult`. Numbers and booleans become text, other data becomes
 * JSON. Without an output the model gets a sentence that the tool finished.
 */
export type ToolOutput =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  // biome-ignore lint/suspicious/noConfusingVoidType: the return type of a function without a `return`
  | void
  | ToolResult
  | object;

/** How a tool handles an input that was cut: the one exception to "nothing that was cut runs". */
export interface Salvage<Input> {
  /**
   * The tools that can add what is missing. The result tells the model to use them, so each must be
   * in `tools`.
   */
  readonly continueWith: readonly string[];
  /**
   * Use `salvage` before the turn is requested again, and before the model gets a note. Default:
   * use it last.
   */
  readonly first?: boolean | undefined;
  /**
   * Builds a complete input from the part that arrived, or returns nothing. Must be a pure
   * function. If it throws, it counts as nothing.
   */
  input(partial: PartialInput): Input | undefined;
}

/** A method, so that a list may hold tools of different inputs. */
interface NeedsApproval<Input> {
  decide(input: Input): boolean | Promise<boolean>;
}

/** A tool: its description for the model, and the function that runs it. */
export interface Tool<Input = never> {
  /**
   * The name that the model calls. Every provider accepts letters, digits, `_` and `-`, at most 64.
   */
  readonly name: string;
  /** What the tool does and when to call it, for the model. */
  readonly description: string;
  /**
   * zod, arktype, `jsonSchema(…)` or any Standard Schema with JSON Schema. The input must be an
   * object.
   */
  readonly inputSchema: InputSchema;
  /**
   * Runs one call with its validated, frozen input. If it throws, the model gets an error result.
   * An async generator reports progress with each `yield`; what it returns is the output. After an
   * abort or the time limit it ends at its next `yield`. Without `execute` and `ends` a call ends
   * the run with the status `waiting`, and `waiting.results` answers it.
   */
  execute?(
    input: Input,
    context: ToolContext,
  ): ToolOutput | Promise<ToolOutput> | AsyncGenerator<unknown, ToolOutput>;
  /**
   * The call ends the run with the status `done`, and its validated input is `outcome.output`. It
   * needs no `execute`. If there is one and it fails, the run continues.
   */
  readonly ends?: boolean | undefined;
  /**
   * Whether a call needs a decision. By default `approve` is asked about every call, if the run has
   * one, also if other tools set this option. `false`: it is not asked. `true`: it is asked; without
   * `approve` the run ends with the status `waiting`. A function gets the validated input and decides
   * which of the two applies. It counts as `true` if it throws or returns anything but `false`.
   */
  readonly needsApproval?: boolean | NeedsApproval<Input>["decide"] | undefined;
  /**
   * The version of what a person decides about, such as a hash of a definition that comes from
   * elsewhere. A recorded decision counts only for the same revision: if it changed, the call is
   * asked about anew.
   */
  readonly revision?: string | undefined;
  /**
   * Calls of this tool that run at the same time, at most, if its service allows no more. Other tools
   * do not wait for them. A call waits before it begins: a wait in `execute` would use its
   * `timeoutMs`, and a crash would leave the call in doubt. Default: `limits.concurrency`, which
   * holds for all tools together.
   */
  readonly concurrency?: number | undefined;
  /** For a tool that can start with a part of its input, such as one that writes files. */
  readonly salvage?: Salvage<unknown> | undefined;
  /** Milliseconds that `execute` may take. Default: 120,000. `Infinity` means no limit. */
  readonly timeoutMs?: number | undefined;
  /** No other tool runs at the same time: earlier calls end first, later calls start afterwards. */
  readonly exclusive?: boolean | undefined;
  /**
   * The call may be repeated without harm. If a journal does not know how the call ended, it runs
   * again. Other calls are reported as in doubt.
   */
  readonly idempotent?: boolean | undefined;
  /**
   * The model calls it repeatedly until the result changes, so its repetitions do not count as
   * being stuck.
   */
  readonly polls?: boolean | undefined;
}

/** Whether a call gets its result from outside of the run: the tool has nothing that could run. */
export const runsElsewhere = (tool: Tool | undefined): tool is Tool =>
  tool !== undefined && tool.execute === undefined && !tool.ends;

/** A tool that this program runs. */
export interface ExecutableTool<Input = never> extends Tool<Input> {
  execute: NonNullable<Tool<Input>["execute"]>;
}
/** The argument of `tool`. */
export type ToolDefinition<S extends InputSchema<object>> = Omit<
  Tool<SchemaTypes<S>["output"]>,
  "inputSchema" | "salvage"
> & {
  /**
   * zod, arktype, `jsonSchema(…)` or any Standard Schema with JSON Schema. The input must be an
   * object.
   */
  readonly inputSchema: S;
  /** For a tool that can start with a part of its input, such as one that writes files. */
  readonly salvage?: Salvage<SchemaTypes<S>["input"]> | undefined;
};

/** The names of the tools, as a sentence for a model that has to choose again. */
export const listTools = (tools: ReadonlyMap<string, unknown>): string =>
  tools.size === 0
    ? "No tools are available."
    : `Available tools: ${[...tools.keys()].join(", ")}.`;

/**
 * Throw it from `execute` if the call may have happened, and you cannot know: the connection was
 * lost after the request was sent, for example. The call is then in doubt: it is not repeated, and
 * the model is asked to check. With a journal, `journal.settle` is asked first.
 */
export class UnknownOutcome extends Error {
  override readonly name = "UnknownOutcome";
}

/** A program may hold two copies of this class. A value that throws when it is read is not one. */
export function isUnknownOutcome(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof Error && thrown.name === "UnknownOutcome";
  } catch {
    return false;
  }
}
