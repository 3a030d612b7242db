import type { ToolCall, ToolMessage, ToolResultBlock } from "@fullstop/core";
import { aborted, unlessAborted } from "./abort.ts";
import type { RunEvent } from "./event.ts";
import { check } from "./schema.ts";
import type { Tool } from "./tool.ts";

/** What running the calls of one turn needs. */
export interface Bench {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly signal: AbortSignal;
  readonly emit: (event: RunEvent) => void;
  /** `<run>/<turn>` */
  readonly key: string;
  /** Calls that the loop answers without running them, and why. */
  readonly declined: ReadonlyMap<ToolCall, string>;
}
interface Answer {
  readonly content: string;
  readonly isError?: true;
}

/** Runs the calls of a turn side by side. Every call has one result, in call order, whatever becomes of it. */
export async function dispatch(calls: readonly ToolCall[], bench: Bench): Promise<ToolMessage> {
  const results = calls.map(async (call, position) => report(call, await answer(call, position, bench), bench));
  return { role: "tool", content: await Promise.all(results) };
}

function report(call: ToolCall, { content, isError }: Answer, { emit }: Bench): ToolResultBlock {
  const result: ToolResultBlock = { type: "tool-result", id: call.id, name: call.name, content, ...(isError && { isError }) };
  emit({ type: "tool-result", call, result });
  return result;
}

const refused = (content: string): Answer => ({ content, isError: true });
const neverStarted = (name: string): Answer => refused(`${name} was not run: the run was aborted before it started.`);

async function answer(call: ToolCall, position: number, bench: Bench): Promise<Answer> {
  const { tools, signal, emit, key, declined } = bench;
  const { name } = call;
  const because = declined.get(call);
  if (because !== undefined) return refused(`${name} was not run: ${because}`);
  const tool = tools.get(name);
  if (signal.aborted) return neverStarted(name);
  if (tool === undefined) return refused(`There is no tool named "${name}". ${offered(tools)}`);
  const verdict = await unlessAborted(check(tool.inputSchema, call.input), signal);
  if (verdict === aborted || signal.aborted) return neverStarted(name);
  if ("issues" in verdict) {
    return refused(`${name} was not run, because its input is not valid. Correct it and call again.\n- ${verdict.issues.join("\n- ")}`);
  }
  emit({ type: "tool-call", call });
  if (signal.aborted) return neverStarted(name);
  const context = { call, signal, idempotencyKey: `${key}/${position + 1}` };
  const output = await unlessAborted(settle(tool, verdict.value, context), signal);
  if (output === aborted) {
    return refused(
      `${name} had started when the run was aborted. It may still be running and its outcome is unknown: check before repeating it.`,
    );
  }
  return output;
}

/** The tools by name, for a model that has to choose again. */
export const offered = (tools: ReadonlyMap<string, unknown>): string =>
  tools.size === 0 ? "No tools are offered." : `The tools are: ${[...tools.keys()].join(", ")}.`;

async function settle(tool: Tool, input: unknown, context: Parameters<Tool["execute"]>[1]): Promise<Answer> {
  let output: unknown;
  try {
    output = await tool.execute(deepFreeze(input) as never, context);
  } catch (thrown) {
    return refused(`${tool.name} failed: ${described(thrown)}`);
  }
  return written(tool.name, output);
}

function written(name: string, output: unknown): Answer {
  if (typeof output === "string") return { content: output };
  let problem = `it is ${typeof output}`;
  try {
    const content: string | undefined = JSON.stringify(output);
    if (content !== undefined) return { content };
  } catch (thrown) {
    problem = described(thrown);
  }
  return refused(`${name} ran to its end, but its output cannot be written as JSON (${problem}). Do not repeat it only to see its output.`);
}

function described(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message === "" ? thrown.name : thrown.message;
  try {
    return typeof thrown === "string" ? thrown : (JSON.stringify(thrown) ?? typeof thrown);
  } catch {
    return "it threw something that is no error";
  }
}

/** Freezes what is plain data; instances that a schema made (a `Date`, a `URL`) stay as they are. */
function deepFreeze<T>(value: T, seen: Set<unknown> = new Set()): T {
  if (typeof value !== "object" || value === null || seen.has(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return value;
  seen.add(Object.freeze(value));
  for (const member of Object.values(value)) deepFreeze(member, seen);
  return value;
}
