import {
  type Fields,
  isNullish,
  isObject,
  listOrEmpty,
  members,
  nonBlank,
  numberOrNone,
  textOrNone,
} from "../json.ts";
import { Notes } from "../notes.ts";
import type { Reading, WireCall } from "../reading.ts";
import type { Received } from "../received.ts";
import { decideReading } from "../settle.ts";
import { ollamaMeaning } from "./stops.ts";

class OllamaState {
  readonly notes = new Notes();
  readonly calls: WireCall[] = [];
  readonly texts: string[] = [];
  readonly indices: number[] = [];
  /** `done: true` came, with a reason. */
  isDone = false;
}

/**
 * Follows https://github.com/ollama/ollama/blob/main/docs/api.md and doubts everything that it does
 * not allow.
 */
export function readOllama(received: Received, host: string): Reading {
  const state = new OllamaState();
  const { notes } = state;
  for (const line of received.events) takeLine(state, members(line));
  notes.damage(received, state.isDone);
  const indices = [...new Set(state.indices)].toSorted((one, other) => one - other);
  notes.flaw(
    "a missing index",
    indices.some((index, at) => at > 0 && index - (indices[at - 1] ?? index) > 1),
  );
  return decideReading({
    ...notes.facts(),
    calls: state.calls,
    text: state.texts.join(""),
    end: state.isDone ? "came" : "missing",
    mislabelsTruncation: host === "mislabels",
    closesInputs: true,
  });
}

function takeLine(state: OllamaState, line: Fields): void {
  const { notes } = state;
  if (line["error"]) return notes.flaw("an error report");
  notes.doubt("an empty error", line["error"] !== undefined);
  takeOllamaMessage(state, line["message"]);
  takeCount(notes, line["eval_count"]);
  takeLineEnd(state, line);
}

function takeCount(notes: Notes, count: unknown): void {
  notes.doubt("an invalid count", count !== undefined && typeof count !== "number");
  notes.doubt("a second count", count !== undefined && notes.output !== undefined);
  notes.output = numberOrNone(count) ?? notes.output;
}

function takeOllamaMessage(state: OllamaState, message: unknown): void {
  const { notes } = state;
  notes.ambiguity("a line without a message", !isObject(message));
  const { content, thinking, tool_calls: calls } = members(message);
  const isOddText = [content, thinking].some(
    (text) => !isNullish(text) && typeof text !== "string",
  );
  notes.doubt("another type in place of a text", isOddText);
  notes.ambiguity("calls that are not a list", !isNullish(calls) && !Array.isArray(calls));
  const hasContent = Boolean(content) || Boolean(thinking) || listOrEmpty(calls).length > 0;
  notes.doubt("content after the end", hasContent && state.isDone);
  state.texts.push(textOrNone(content) ?? "");
  state.calls.push(...listOrEmpty(calls).map((call) => ollamaCall(notes, call)));
  const numbers = listOrEmpty(calls).map((call) => members(members(call)["function"])["index"]);
  state.indices.push(...numbers.filter((index) => typeof index === "number"));
}

function ollamaCall(notes: Notes, call: unknown): WireCall {
  const { id, function: called } = members(call);
  const { name, arguments: input } = members(called);
  notes.ambiguity("a call that is not an object", !isObject(call) || !isObject(called));
  const named = notes.named(name, id ?? undefined);
  notes.ambiguity(
    "arguments that are not an object",
    !isNullish(input) && !isObject(input) && typeof input !== "string",
  );
  const hasBlankInput = typeof input === "string" && input.trim() === "";
  notes.ambiguity("an empty call", hasBlankInput && ![name, id].some(nonBlank));
  return { ...named, text: typeof input === "string" ? input : JSON.stringify(input ?? {}) };
}

function takeLineEnd(state: OllamaState, { done, done_reason: reason }: Fields): void {
  const { notes } = state;
  notes.doubt("an end that is not a boolean", !isNullish(done) && typeof done !== "boolean");
  if (!done) return notes.doubt("a reason before the end", !isNullish(reason));
  notes.doubt("a second end", state.isDone);
  const stop = nonBlank(reason);
  // The model's process ended early.
  if (isNullish(reason) || reason === "") return;
  if (stop === undefined || stop === "null") return notes.doubt("an invalid stop reason");
  state.isDone = true;
  notes.stops.push(ollamaMeaning(stop));
}
