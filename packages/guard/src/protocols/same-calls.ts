import type { GrantedCall } from "./protocol.ts";

export interface ReadCall {
  readonly id: unknown;
  readonly name: unknown;
  readonly inputText: string;
}

export const isEmptyObject = (text: string): boolean => /^(?:\{\s*\})?$/.test(text.trim());
const isSameInput = (text: string, other: string): boolean =>
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
