import { type Fields, stringifyJson } from "@fullstop/core/adapter";
import type { GrantedCall } from "./protocol.ts";

export interface ReadCall {
  readonly id: unknown;
  readonly name: unknown;
  readonly inputText: string;
}

/** A call whose input may come in pieces. */
export interface OpenCall {
  readonly id: unknown;
  readonly name: unknown;
  readonly pieces: string[];
}

/** An empty object often stands in place of an input that comes in pieces. */
export function openCall({ id, name }: Fields, input: unknown): OpenCall {
  const json = input === undefined || input === null ? "" : stringifyJson(input);
  return { id, name, pieces: isEmptyObject(json) ? [] : [json] };
}

export const toReadCall = ({ pieces, ...call }: OpenCall): ReadCall => ({
  ...call,
  inputText: pieces.join(""),
});

const isEmptyObject = (text: string): boolean => /^(?:\{\s*\})?$/.test(text.trim());
export const isSameInput = (text: string, other: string): boolean =>
  text === other || (isEmptyObject(text) && isEmptyObject(other));

export const areSameCalls = (read: readonly ReadCall[], calls: readonly GrantedCall[]): boolean =>
  read.length === calls.length &&
  read.every(({ id, name, inputText }, index) => {
    const call = calls[index];
    return (
      call !== undefined &&
      call.id === id &&
      call.name === name &&
      isSameInput(inputText, call.inputText)
    );
  });
