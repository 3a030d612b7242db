import type { InputKey, TurnEvent } from "../contract/event.ts";
import {
  addPiece,
  type Complaint,
  ceiling,
  createPieces,
  joinPieces,
  type Pieces,
  tooLarge,
} from "./text-buffer.ts";

/** What the model writes for a tool, while it arrives. */
export interface Input {
  readonly type: "input";
  readonly key: InputKey;
  id: string | undefined;
  name: string | undefined;
  readonly kind: "text" | undefined;
  /** It says another input once more. */
  readonly echo: boolean;
  readonly pieces: Pieces;
  /** The whole text, where the protocol said it once more at the end. */
  whole: string | undefined;
  closed: boolean;
  providerData: unknown;
}

export const inputText = (input: Input): string => input.whole ?? joinPieces(input.pieces);

export interface Inputs {
  find(key: InputKey): Input | undefined;
  start(event: Extract<TurnEvent, { readonly type: "tool-input-start" }>): Complaint | undefined;
  piece(key: InputKey, text: string): Complaint | undefined;
  end(key: InputKey, text: string | undefined): Complaint | undefined;
}

/** Keeps the inputs of a reply apart by their keys, and hands over each that begins. */
export function createInputs(begins: (input: Input) => void): Inputs {
  const byKey = new Map<InputKey, Input>();
  let last: Input | undefined; // spares the map for the pieces of one input in a row
  const find = (key: InputKey): Input | undefined =>
    last !== undefined && last.key === key ? last : byKey.get(key);

  return {
    find,
    start(event) {
      const known = find(event.key);
      if (known !== undefined && !known.closed) return repeat(known, event);
      last = open(event);
      byKey.set(event.key, last);
      begins(last);
      return undefined;
    },
    piece(key, text) {
      const input = find(key);
      if (input === undefined || input.closed) return text === "" ? undefined : notOpen(key);
      last = input;
      return addPiece(input.pieces, text);
    },
    end(key, text) {
      const input = find(key);
      if (input === undefined || input.closed) return undefined;
      input.closed = true;
      input.whole = text;
      return text !== undefined && text.length > ceiling ? tooLarge : undefined;
    },
  };
}

/** `undefined` for what hosts send in place of an id or a name. */
export const said = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === "" ? undefined : text;
const notOpen = (key: InputKey): Complaint => ({
  kind: "malformed-reply",
  message: `The reply continues a tool input (${key}) that is not open.`,
});

type Start = Extract<TurnEvent, { readonly type: "tool-input-start" }>;
const open = ({ key, id, name, kind, echo }: Start): Input => ({
  ...{ type: "input", key, id: said(id), name: said(name), kind, echo: echo === true },
  ...{ pieces: createPieces(), whole: undefined, closed: false, providerData: undefined },
});

/** The first id and name win. A name that comes with another id, or another name without an id, is a second input under a key that is still held. */
function repeat(known: Input, event: Start): Complaint | undefined {
  const id = said(event.id);
  const name = said(event.name);
  const sameId = id === undefined || known.id === undefined ? undefined : id === known.id;
  const another =
    sameId === false || (sameId === undefined && known.name !== undefined && name !== known.name);
  if (name !== undefined && another) {
    return {
      kind: "malformed-reply",
      message: `The reply starts a second tool input (${name}) under a key that ${known.name} still holds.`,
    };
  }
  known.id ??= id;
  known.name ??= name;
  return undefined;
}
