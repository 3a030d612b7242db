import type { InputKey, TurnEvent } from "../contract/event.ts";
import {
  appendText,
  bufferedText,
  createTextBuffer,
  type StreamError,
  type TextBuffer,
  textTooLarge,
} from "./text-buffer.ts";

export interface Input {
  readonly type: "input";
  readonly key: InputKey;
  id: string | undefined;
  name: string | undefined;
  readonly kind: "text" | undefined;
  readonly asks: "approval" | undefined;
  readonly echo: boolean;
  readonly buffer: TextBuffer;
  /** The whole text, if the protocol repeated it at the end of the input. */
  finalText: string | undefined;
  closed: boolean;
  providerData: unknown;
}

export const inputText = (input: Input): string => input.finalText ?? bufferedText(input.buffer);

export interface Inputs {
  find(key: InputKey): Input | undefined;
  start(event: Extract<TurnEvent, { readonly type: "tool-input-start" }>): StreamError | undefined;
  append(key: InputKey, text: string): StreamError | undefined;
  end(key: InputKey, text: string | undefined): StreamError | undefined;
}

export function createInputs(maxTextLength: number, begins: (input: Input) => void): Inputs {
  const byKey = new Map<InputKey, Input>();
  let last: Input | undefined; // spares the map for the pieces of one input in a row
  const find = (key: InputKey): Input | undefined =>
    last !== undefined && last.key === key ? last : byKey.get(key);

  return {
    find,
    start(event) {
      const known = find(event.key);
      if (known !== undefined && !known.closed) return restartInput(known, event);
      last = createInput(event, createTextBuffer(maxTextLength));
      byKey.set(event.key, last);
      begins(last);
      return undefined;
    },
    append(key, text) {
      const input = find(key);
      if (input === undefined || input.closed) return text === "" ? undefined : notOpen(key);
      last = input;
      return appendText(input.buffer, text);
    },
    end(key, text) {
      const input = find(key);
      if (input === undefined || input.closed) return undefined;
      input.closed = true;
      input.finalText = text;
      return text !== undefined && text.length > maxTextLength
        ? textTooLarge(input.buffer)
        : undefined;
    },
  };
}

/** Some hosts send a blank text, `null` or a number in place of an id or a name. */
export const nonBlank = (text: unknown): string | undefined =>
  typeof text !== "string" || text.trim() === "" ? undefined : text;
const notOpen = (key: InputKey): StreamError => ({
  kind: "malformed-reply",
  message: `The reply continues a tool input (${key}) that is not open.`,
});

type InputStart = Extract<TurnEvent, { readonly type: "tool-input-start" }>;
const createInput = (
  { key, id, name, kind, asks, echo }: InputStart,
  buffer: TextBuffer,
): Input => ({
  type: "input",
  key,
  id: nonBlank(id),
  name: nonBlank(name),
  kind,
  asks,
  echo: echo === true,
  buffer,
  finalText: undefined,
  closed: false,
  providerData: undefined,
});

/** Another id with a name, or another name without an id, is a second input under the same key. */
function restartInput(known: Input, event: InputStart): StreamError | undefined {
  const id = nonBlank(event.id);
  const name = nonBlank(event.name);
  const sameId = id === undefined || known.id === undefined ? undefined : id === known.id;
  const another =
    sameId === false || (sameId === undefined && known.name !== undefined && name !== known.name);
  if (name !== undefined && another) {
    return {
      kind: "malformed-reply",
      message: `The reply starts a second tool input (${name}) under the key of ${known.name}, which has not ended.`,
    };
  }
  known.id ??= id;
  known.name ??= name;
  return undefined;
}
