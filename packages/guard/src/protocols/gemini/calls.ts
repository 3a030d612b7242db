import { type Fields, isFields } from "@fullstop/core/adapter";
import { googleReply } from "@fullstop/provider-google/reply";
import type { CallReader } from "../protocol.ts";
import { areSameCalls, type ReadCall } from "../same-calls.ts";
import { candidatesOf, innerEvent, isFunctionCall, mainCandidate, partsOf } from "./events.ts";

interface RawCall extends ReadCall {
  readonly id: string | undefined;
  /** The input is there, and is not only left out because it is empty. */
  readonly hasInput: boolean;
}

/** A client cannot read calls of other candidates, and parts of no call, as the granted ones. */
export function createGeminiCallReader(): CallReader {
  const reader = createPartReader();
  /** The vendor's SDK cannot read an event with a line besides its data. */
  const areBare = new Set<boolean>();
  let isClear = true;
  let hasStop = false;
  return {
    add(native, raw = "data:") {
      const candidates = candidatesOf(innerEvent(native));
      const main = mainCandidate(candidates);
      hasStop ||= main?.["finishReason"] === "STOP";
      for (const candidate of candidates)
        for (const part of partsOf(candidate).filter(isFunctionCall))
          isClear &&= candidate === main && reader.read(part);
      areBare.add(/^data:[^\r\n]*$/.test(raw.trim()));
    },
    says(calls, isStrict) {
      // An id is optional. A client that finds none makes its own one.
      const read = reader.calls().map((call, index) => ({
        ...call,
        isIdentified: call.id !== undefined,
        id: call.id ?? calls[index]?.id,
      }));
      const isNormal = read.every(({ isIdentified, hasInput }) => isIdentified && hasInput);
      const isReadable = isClear && areBare.size < 2;
      return isReadable && areSameCalls(read, calls) && (!isStrict || (hasStop && isNormal));
    },
  };
}

type StartedCall = Omit<RawCall, "inputText" | "hasInput"> & {
  hasInput: boolean;
  readonly pieces: string[];
};

/** Reads parts with the decoder of the protocol, which also assembles streamed arguments. */
function createPartReader() {
  const calls: StartedCall[] = [];
  let open = 0;
  const decode = googleReply("").decoder((event) => {
    const call = calls.at(-1);
    if (event.type === "tool-input-start") {
      open++;
      calls.push({ id: event.id || undefined, name: event.name, hasInput: false, pieces: [] });
    } else if (event.type === "tool-input-delta") call?.pieces.push(event.text);
    else if (event.type === "tool-input-end") {
      open--;
      if (event.text !== undefined) call?.pieces.push(event.text);
    }
  });
  return {
    /** Returns whether the part begins, continues or ends a call. */
    read(part: Fields): boolean {
      // The reader does not know the names in snake case.
      if (!isFields(part["functionCall"])) return false;
      const wasOpen = open > 0;
      const count = calls.length;
      try {
        // Without its signature: a client takes no call for the copy of another one.
        const { thoughtSignature: _, ...unsigned } = part;
        decode({ candidates: [{ content: { parts: [unsigned] } }] });
      } catch {
        // The gate found the same contradiction, and grants nothing.
        return false;
      }
      const call = calls.at(-1);
      const { args, partialArgs } = part["functionCall"];
      if (call !== undefined && (args ?? partialArgs)) call.hasInput = true;
      return wasOpen || calls.length > count;
    },
    calls: (): readonly RawCall[] =>
      calls.map(({ pieces, ...call }) => ({ ...call, inputText: pieces.join("") })),
  };
}
