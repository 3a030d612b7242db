import { type Emit, stringifyJson } from "@fullstop/core/adapter";
import type { FunctionCall } from "@google/genai";
import { type ArgumentWriter, createWriter } from "./partial.ts";

/** The function calls of one reply. */
export interface Calls {
  take(call: FunctionCall, signature: string | undefined): void;
}

/** A call that was begun; its writer is for arguments that are streamed. */
interface Begun {
  readonly key: number;
  readonly id: string | undefined;
  readonly writer: ArgumentWriter;
}

/** A call is whole when it arrives, unless it says that it will continue; then a nameless part that does not say so closes it. */
export function createCalls(emit: Emit): Calls {
  let count = 0;
  let open: Begun | undefined;
  const begin = ({ id, name }: FunctionCall): Begun => {
    const key = count++;
    emit({ type: "tool-input-start", key, id, name });
    return { key, id, writer: createWriter() };
  };
  const piece = (key: number, text: string): void => {
    if (text !== "") emit({ type: "tool-input-delta", key, text });
  };
  const stream = (begun: Begun, { args, partialArgs, willContinue }: FunctionCall): void => {
    const { key, writer } = begun;
    if (args && Object.keys(args).length > 0)
      throw new Error("The reply holds a function call both whole and in pieces.");
    for (const partial of partialArgs ?? []) piece(key, writer.add(partial));
    open = willContinue ? begun : undefined;
    if (willContinue) return;
    piece(key, writer.end());
    emit({ type: "tool-input-end", key });
  };

  return {
    take(call, signature) {
      if (open === undefined && saysNothing(call)) return;
      const begun = open !== undefined && continues(call, open) ? open : begin(call);
      if (signature !== undefined) emit({ type: "provider-data", key: begun.key, data: signature });
      if (begun === open || isStreamed(call)) return stream(begun, call);
      open = undefined;
      emit({ type: "tool-input-end", key: begun.key, text: stringifyJson(call.args ?? {}) });
    },
  };
}

const isStreamed = ({ partialArgs, willContinue }: FunctionCall): boolean =>
  Boolean(partialArgs ?? willContinue);

/** An empty `functionCall` closes the one before it. */
const saysNothing = ({ id, name, args, partialArgs, willContinue }: FunctionCall): boolean =>
  !(id || name || args || partialArgs || willContinue);

function continues({ id, name }: FunctionCall, open: Begun): boolean {
  if (name) return false;
  if (id && id !== open.id)
    throw new Error(`The reply continues the function call ${id}, which is not open.`);
  return true;
}
