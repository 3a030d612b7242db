import { googleReply } from "@fullstop/provider-google/reply";
import { type Fields, type GrantedCall, isFields } from "../protocol.ts";
import { areSameCalls, type ReadCall } from "../same-calls.ts";
import { candidatesOf, isFunctionCall, mainCandidate, partsOf } from "./events.ts";

/** A call as it stands in the events. */
interface RawCall extends ReadCall {
  readonly id: string | undefined;
  /** The input is there, and is not only left out because it is empty. */
  readonly hasInput: boolean;
}

/** Whether a client that reads the events as they are finds exactly these calls. */
export function readsExactly(
  events: readonly Fields[],
  calls: readonly GrantedCall[],
  isStrict: boolean,
): boolean {
  const read = readCallParts(events);
  if (read === undefined) return false;
  // An id is optional. A client that finds none makes its own one.
  const identified = read.map((call, index) => ({ ...call, id: call.id ?? calls[index]?.id }));
  return (
    areSameCalls(identified, calls) && (!isStrict || (read.every(isStrictCall) && ends(events)))
  );
}

const isStrictCall = ({ id, hasInput }: RawCall): boolean => id !== undefined && hasInput;
const ends = (events: readonly Fields[]): boolean =>
  events.some((event) => mainCandidate(candidatesOf(event))?.["finishReason"] === "STOP");

/**
 * The calls of the first candidate, as a client assembles them. `undefined` if there are calls of
 * other candidates, or parts of calls that belong to no call.
 */
function readCallParts(events: readonly Fields[]): readonly RawCall[] | undefined {
  const reader = createCallReader();
  for (const event of events) {
    const candidates = candidatesOf(event);
    const main = mainCandidate(candidates);
    for (const candidate of candidates)
      for (const part of partsOf(candidate))
        if (isFunctionCall(part) && (candidate !== main || !reader.read(part))) return undefined;
  }
  return reader.calls();
}

interface CallReader {
  /** Returns whether the part begins, continues or ends a call. */
  read(part: Fields): boolean;
  calls(): readonly RawCall[];
}

type StartedCall = Omit<RawCall, "inputText" | "hasInput"> & {
  hasInput: boolean;
  readonly pieces: string[];
};

/** Reads parts with the decoder of the protocol, which also assembles streamed arguments. */
function createCallReader(): CallReader {
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
    read(part) {
      // The reader does not know the names in snake case.
      if (!isFields(part["functionCall"])) return false;
      const wasOpen = open > 0;
      const count = calls.length;
      decode({ candidates: [{ content: { parts: [part] } }] });
      const call = calls.at(-1);
      const { args, partialArgs } = part["functionCall"];
      if (call !== undefined && (args ?? partialArgs)) call.hasInput = true;
      return wasOpen || calls.length > count;
    },
    calls: () => calls.map(({ pieces, ...call }) => ({ ...call, inputText: pieces.join("") })),
  };
}
