import { nonBlank } from "../../shared/blank.ts";
import type { ChatBody, Choice } from "./events.ts";
import type { CallIndex } from "./input.ts";

/** What came of a reply before a chunk. */
export interface BegunReply {
  hasCalls(): boolean;
  /** Whether a call with another id has this index. */
  isIndexOfOther(index: CallIndex, id: string): boolean;
}

/**
 * Finds a second reply in the same body. A router may ask another model in the middle of a stream
 * and append its reply (BerriAI/litellm#36267): then the calls before it are of a reply that was
 * cut. Some hosts give every chunk an id of its own (BerriAI/litellm#1571), so another id counts only
 * behind one that stayed for two chunks, and only if the chunk begins something: it has a role again,
 * or another call under an index that is in use.
 * @returns A function that throws if this chunk begins a second reply behind a call.
 */
export function createReplyCheck(reply: BegunReply): (chunk: ChatBody) => void {
  let last: string | undefined;
  let stayed = false;
  /** The id of the reply with the first call, if it stayed for two chunks. */
  let own: string | undefined;
  let hadRole = false;
  const begins = (choice: Choice): boolean =>
    (hasRole(choice) && !hadRole) ||
    (choice.delta?.tool_calls ?? []).some((call) => {
      const callId = nonBlank(call?.id);
      return callId !== undefined && reply.isIndexOfOther(call?.index ?? "", callId);
    });
  return ({ id: given, choices }) => {
    const id = nonBlank(given);
    const first = choices?.find((choice) => (choice.index ?? 0) === 0);
    if (stayed && reply.hasCalls()) own ??= last;
    const isOther = own !== undefined && id !== undefined && id !== own;
    if (isOther && first !== undefined && begins(first))
      throw new Error(
        `A second reply (${id}) begins behind a call of the reply ${own}, which did not end.`,
      );
    if (id !== undefined) stayed = id === last;
    last = id ?? last;
    if (first !== undefined) hadRole = hasRole(first);
  };
}

const hasRole = ({ delta }: Choice): boolean => nonBlank(delta?.role) !== undefined;
