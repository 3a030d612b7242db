import { type Emit, stringifyJson } from "@fullstop/core/adapter";
import type { FunctionCall } from "@google/genai";
import { type ArgumentWriter, createWriter } from "./partial.ts";

/** The function calls of one reply. */
export interface Calls {
  read(call: FunctionCall, signature: string | undefined): void;
  hasCalls(): boolean;
}

/** A call that started; the writer is for streamed arguments. */
interface StartedCall {
  readonly key: number;
  readonly id: string | undefined;
  readonly writer: ArgumentWriter;
}

/**
 * A call is complete when it arrives, unless `willContinue` is set. Then a part without a name and
 * without `willContinue` closes it.
 */
export function createCalls(emit: Emit): Calls {
  let count = 0;
  let open: StartedCall | undefined;
  const start = ({ id, name }: FunctionCall): StartedCall => {
    const key = count++;
    emit({ type: "tool-input-start", key, id, name });
    return { key, id, writer: createWriter() };
  };
  const emitDelta = (key: number, text: string): void => {
    if (text !== "") emit({ type: "tool-input-delta", key, text });
  };
  const readPartial = (call: StartedCall, { args, partialArgs, willContinue }: FunctionCall) => {
    const { key, writer } = call;
    if (args && Object.keys(args).length > 0)
      throw new Error("The reply sends a function call both as a whole and in pieces.");
    for (const partial of partialArgs ?? []) emitDelta(key, writer.write(partial));
    open = willContinue ? call : undefined;
    if (willContinue) return;
    emitDelta(key, writer.end());
    emit({ type: "tool-input-end", key });
  };

  return {
    hasCalls: () => count > 0,
    read(call, signature) {
      if (open === undefined && isEmpty(call)) return;
      const started = open !== undefined && continues(call, open) ? open : start(call);
      const { key } = started;
      if (signature !== undefined) emit({ type: "provider-data", key, data: signature });
      if (started === open || isStreamed(call)) return readPartial(started, call);
      open = undefined;
      emit({ type: "tool-input-end", key, text: stringifyJson(call.args ?? {}) });
    },
  };
}

const isStreamed = ({ partialArgs, willContinue }: FunctionCall): boolean =>
  Boolean(partialArgs ?? willContinue);

/** An empty `functionCall` only closes the call before it. */
const isEmpty = ({ id, name, args, partialArgs, willContinue }: FunctionCall): boolean =>
  !(id || name || args || partialArgs || willContinue);

function continues({ id, name }: FunctionCall, open: StartedCall): boolean {
  if (name) return false;
  if (id && id !== open.id)
    throw new Error(`The reply continues the function call ${id}, which is not open.`);
  return true;
}
