import { canonicalJson, type Emit, type Fields, isObjectText } from "@fullstop/core/adapter";
import { repeatsObject } from "./arguments.ts";
import type { FunctionDelta, ToolDelta } from "./events.ts";
import {
  addInputData,
  addInputDelta,
  argumentsOf,
  type CallIndex,
  createInput,
  type InputDelta,
  type InputState,
  isEmptyDelta,
  readInputDelta,
  repeatsInput,
  settleInput,
} from "./input.ts";
import type { ReplyQuirks } from "./quirks.ts";

export interface Inputs {
  readonly list: readonly InputState[];
  /** The input in `function_call`, the field of the API's first version. */
  readonly echo: InputState | undefined;
  /** Whether an input with another id has this index. */
  isIndexOfOther(index: CallIndex, id: string): boolean;
  /** Indices of empty deltas: no call is missing there. */
  readonly emptyIndices: ReadonlySet<CallIndex>;
  /** `complete`: each of these is a call, not a delta. */
  add(deltas: readonly (ToolDelta | null)[], complete: boolean): void;
  addFunctionCall(call: FunctionDelta): void;
  /** The choice has ended. Deltas may still follow. */
  settle(): void;
  /** Adds data that goes back with the last input; returns `false` without one. */
  addData(data: Fields): boolean;
}

interface ReplyContext {
  readonly quirks: ReplyQuirks;
  readonly emit: Emit;
  nextKey(): number;
  /** How many text and thinking events came so far. */
  proseCount(): number;
  /** Adds a call that came before. `[DONE]` still ends the reply, but its `finish_reason` does not. */
  repeat(add: () => void): void;
}

export function createInputs({ quirks, emit, nextKey, proseCount, repeat }: ReplyContext): Inputs {
  const lookup = createInputLookup();
  const emptyIndices = new Set<CallIndex>();
  const changed = new Set<InputState>();
  let echo: InputState | undefined;
  let lastStarted: InputState | undefined;
  let hasEnded = false;
  const addTo = (input: InputState, delta: InputDelta): void => {
    changed.add(input);
    addInputDelta(input, delta, emit);
    if (delta.id !== undefined) lookup.setId(input, delta.index);
    if (input.started && (lastStarted === undefined || input.key > lastStarted.key))
      lastStarted = input;
  };
  const inputFor = (delta: InputDelta, position: number | undefined): InputState => {
    const found = position === undefined ? undefined : lookup.find(delta, position);
    if (found !== undefined && !startsNewInput(found, delta, quirks)) return found;
    return lookup.add(
      createInput(delta, { key: nextKey(), echo: false, proseBefore: proseCount() }),
    );
  };
  const addDelta = (delta: InputDelta, position: number | undefined): void => {
    if (hasEnded && repeatsInput(lookup.withId(delta.id), delta))
      repeat(() => addTo(inputFor(delta, position), delta));
    else if (!isEmptyDelta(delta)) addTo(inputFor(delta, position), delta);
    else if (delta.index !== undefined) emptyIndices.add(delta.index);
  };
  return {
    list: lookup.list,
    isIndexOfOther: lookup.isIndexOfOther,
    emptyIndices,
    get echo() {
      return echo;
    },
    add(deltas, complete) {
      let position = deltas.length === 1 ? lookup.list.length - 1 : 0;
      for (const delta of deltas)
        addDelta(readInputDelta(delta ?? {}), complete ? undefined : position++);
    },
    addFunctionCall(call) {
      const delta = readInputDelta({ function: call });
      echo ??= createInput(delta, { key: nextKey(), echo: true, proseBefore: proseCount() });
      addTo(echo, delta);
    },
    settle() {
      hasEnded = true;
      for (const input of changed) settleInput(input, quirks.restatesArguments === true, emit);
      changed.clear();
      alignRepetitions(lookup.list, emit);
    },
    addData(data) {
      if (lastStarted !== undefined) addInputData(lastStarted, data, emit);
      return lastStarted !== undefined;
    },
  };
}

/** The core counts one id with one text once, so a repetition gets the text of the first. */
function alignRepetitions(list: readonly InputState[], emit: Emit): void {
  const firsts = new Map<string, InputState>();
  for (const input of list) {
    if (input.id === undefined || input.kind === "text") continue;
    const first = firsts.get(input.id);
    if (first === undefined) firsts.set(input.id, input);
    else if (input.finalText === undefined && isRestated(first, input)) {
      input.finalText = argumentsOf(first);
      emit({ type: "tool-input-end", key: input.key, text: input.finalText });
    }
  }
}
const isRestated = (first: InputState, input: InputState): boolean =>
  first.name === input.name &&
  argumentsOf(first) !== argumentsOf(input) &&
  compactInput(input) !== undefined &&
  compactInput(first) === compactInput(input);

/**
 * Finds inputs by index, id or position. Of several with one index or id, it finds the last. Hosts
 * send the pieces of a call under its id, but with the index of another one (agno-agi/agno#8880).
 */
function createInputLookup() {
  const list: InputState[] = [];
  const byIndex = new Map<CallIndex, InputState>();
  const byId = new Map<string, InputState>();
  return {
    list,
    add(input: InputState): InputState {
      list.push(input);
      if (input.index !== undefined) byIndex.set(input.index, input);
      return input;
    },
    /** An id may come after the input has started, and under an index that no input has. */
    setId(input: InputState, index: CallIndex | undefined): void {
      if (index !== undefined && !byIndex.has(index)) byIndex.set(index, input);
      if (input.id !== undefined && !input.echo && (byId.get(input.id)?.key ?? -1) < input.key)
        byId.set(input.id, input);
    },
    find({ index, id, name }: InputDelta, position: number): InputState | undefined {
      const same = id === undefined ? list[position] : byId.get(id);
      if (index === undefined) return same;
      const there = byIndex.get(index);
      const isOfOther = id !== undefined && (there === undefined || (there.id ?? id) !== id);
      return isOfOther && (name === undefined || same?.index === index) ? (same ?? there) : there;
    },
    withId: (id: string | undefined): InputState | undefined =>
      id === undefined ? undefined : byId.get(id),
    isIndexOfOther: (index: CallIndex, id: string): boolean =>
      (byIndex.get(index)?.id ?? id) !== id,
  };
}

/** Some hosts use an index again for the next call, or send one id for several calls. */
function startsNewInput(input: InputState, delta: InputDelta, quirks: ReplyQuirks): boolean {
  const { id, name } = delta;
  if (name === undefined) return false;
  if (quirks.rotatesIds !== true && id !== undefined && input.id !== undefined && id !== input.id)
    return true;
  if (input.name === undefined || input.name === name) return startsNewObject(input, delta, quirks);
  if (input.isCompleteObject()) return true;
  throw new Error(`The reply gives one tool input two names: ${input.name} and ${name}.`);
}

/** A shared index keeps both together, unless neither has an id and both are complete. */
function startsNewObject(
  input: InputState,
  { index, id, text }: InputDelta,
  { restatesArguments }: ReplyQuirks,
): boolean {
  const { list } = input.pieces;
  const canStart =
    text.trimStart().startsWith("{") && (list.at(-1)?.trimEnd().endsWith("}") ?? false);
  if (!canStart || !input.isCompleteObject()) return false;
  if (index !== undefined && (id !== undefined || input.id !== undefined || !isObjectText(text)))
    return false;
  return !repeatsObject(restatesArguments ? (list.at(-1) ?? "") : list.join(""), text);
}

/**
 * Checks what only the complete reply shows.
 * @throws Error if an index between two calls is missing, or if `function_call` differs from all
 * `tool_calls`.
 */
export function assertConsistentCalls(
  choices: readonly Inputs[],
  { sparseIndices }: ReplyQuirks,
): void {
  for (const inputs of choices) if (!sparseIndices) assertNoMissingIndex(inputs);
  assertEchoesMatch(choices);
}

interface IndexedCall {
  readonly index: number;
  readonly proseBefore: number;
}

/**
 * Indices of calls are consecutive. They may begin anywhere, and text or thinking between two calls
 * may have an index too: some gateways send the index of a content block (CLIProxyAPI#5229,
 * agentgateway#2965, aws-samples/bedrock-access-gateway#134). Any other gap is a lost call.
 */
function assertNoMissingIndex({ list, emptyIndices }: Inputs): void {
  const calls = list.flatMap(({ started, index, proseBefore }): readonly IndexedCall[] =>
    started && Number.isSafeInteger(index) ? [{ index: Number(index), proseBefore }] : [],
  );
  const sorted = calls.toSorted((a, b) => a.index - b.index);
  const used = new Set(sorted.map(({ index }) => index));
  const empty = [...emptyIndices]
    .flatMap((index) => (Number.isSafeInteger(index) ? [Number(index)] : []))
    .filter((index) => !used.has(index))
    .toSorted((a, b) => a - b);
  let passed = 0;
  sorted.forEach((call, position) => {
    const before = passed;
    while ((empty[passed] ?? call.index) < call.index) passed++;
    const previous = sorted[position - 1];
    if (previous === undefined || call.index - previous.index < 2) return;
    if (call.proseBefore !== previous.proseBefore) return;
    if (passed - before === call.index - previous.index - 1) return;
    throw new Error(
      `The reply has tool calls with the indices ${previous.index} and ${call.index}, and nothing between them: a call was lost. If the host skips indices, set \`sparseIndices: true\` in its dialect.`,
    );
  });
}

/** A `function_call` next to `tool_calls` repeats one of them, or several of them joined. */
function assertEchoesMatch(choices: readonly Inputs[]): void {
  const calls = choices.flatMap(({ list }) => list).filter(({ started }) => started);
  if (calls.length === 0) return;
  for (const { echo } of choices) {
    if (echo === undefined || !echo.started) continue;
    const sameName = calls.filter(({ name }) => echo.name === undefined || name === echo.name);
    const input = compactInput(echo);
    const differs =
      input !== undefined && sameName.every((call) => (compactInput(call) ?? input) !== input);
    if (sameName.length === 0 || differs)
      throw new Error(
        `The reply has a \`function_call\` of ${echo.name ?? "a tool without a name"} that differs from all its \`tool_calls\`.`,
      );
  }
}

/** The input in one form for all spellings; `undefined` if it is not a complete object. */
function compactInput({ finalText, pieces, isCompleteObject }: InputState): string | undefined {
  if (finalText === undefined && !isCompleteObject()) return undefined;
  return canonicalJson(argumentsOf({ finalText, pieces }));
}
