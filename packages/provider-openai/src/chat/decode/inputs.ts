import type { Emit } from "@fullstop/core/adapter";
import type { Fields } from "../../shared/fields.ts";
import { isObjectText } from "../../shared/object-text.ts";
import type { ReplyQuirks } from "../quirks.ts";
import type { FunctionDelta, ToolDelta } from "./events.ts";
import {
  addInputData,
  addInputDelta,
  type CallIndex,
  createInput,
  type InputDelta,
  type InputState,
  isEmptyDelta,
  readInputDelta,
  settleInput,
} from "./input.ts";
import { repeatsObject } from "./json-object.ts";

/** The tool inputs of one choice. */
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

/** What the choices of a reply share. */
export interface ReplyContext {
  readonly quirks: ReplyQuirks;
  readonly emit: Emit;
  nextKey(): number;
  /** How many text and thinking events came so far. */
  proseCount(): number;
}

export function createInputs({ quirks, emit, nextKey, proseCount }: ReplyContext): Inputs {
  const lookup = createInputLookup();
  const emptyIndices = new Set<CallIndex>();
  const changed = new Set<InputState>();
  let echo: InputState | undefined;
  let lastStarted: InputState | undefined;
  const addTo = (input: InputState, delta: InputDelta): void => {
    changed.add(input);
    addInputDelta(input, delta, emit);
    if (delta.id !== undefined) lookup.setId(input);
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
    if (!isEmptyDelta(delta)) addTo(inputFor(delta, position), delta);
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
      for (const input of changed) settleInput(input, quirks.restatesArguments === true, emit);
      changed.clear();
    },
    addData(data) {
      if (lastStarted !== undefined) addInputData(lastStarted, data, emit);
      return lastStarted !== undefined;
    },
  };
}

/** Finds inputs by index, id or position. Of several with one index or id, it finds the last. */
interface InputLookup {
  readonly list: readonly InputState[];
  add(input: InputState): InputState;
  /** An id may come after the input has started. */
  setId(input: InputState): void;
  find(delta: InputDelta, position: number): InputState | undefined;
  isIndexOfOther(index: CallIndex, id: string): boolean;
}

function createInputLookup(): InputLookup {
  const list: InputState[] = [];
  const byIndex = new Map<CallIndex, InputState>();
  const byId = new Map<string, InputState>();
  return {
    list,
    add(input) {
      list.push(input);
      if (input.index !== undefined) byIndex.set(input.index, input);
      return input;
    },
    setId(input) {
      if (input.id !== undefined && !input.echo && (byId.get(input.id)?.key ?? -1) < input.key)
        byId.set(input.id, input);
    },
    find({ index, id }, position) {
      if (index !== undefined) return byIndex.get(index);
      return id === undefined ? list[position] : byId.get(id);
    },
    isIndexOfOther: (index, id) => (byIndex.get(index)?.id ?? id) !== id,
  };
}

/**
 * Some hosts use an index again for the next call, or send no index and one id for several calls.
 */
function startsNewInput(input: InputState, delta: InputDelta, quirks: ReplyQuirks): boolean {
  const { id, name } = delta;
  if (name === undefined) return false;
  if (quirks.rotatesIds !== true && id !== undefined && input.id !== undefined && id !== input.id)
    return true;
  if (input.name === undefined || input.name === name) return startsNewObject(input, delta, quirks);
  if (input.isCompleteObject()) return true;
  throw new Error(`The reply gives one tool input two names: ${input.name} and ${name}.`);
}

/**
 * Whether a delta starts another object after a complete one, instead of repeating it. A shared
 * index keeps both together, unless neither has an id and both are complete.
 */
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
