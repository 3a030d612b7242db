import type { Violation } from "../../wire.ts";
import { type Fields, fieldsOf, listViolations, objectsIn } from "../shared.ts";

/** A message with its position among all messages. */
interface PlacedMessage {
  readonly index: number;
  readonly message: Fields;
  readonly messages: readonly Fields[];
}

const toolCallIds = (message: Fields): readonly unknown[] =>
  objectsIn(message["tool_calls"]).map(({ id }) => id);

const isToolMessage = (message: Fields | undefined): boolean => message?.["role"] === "tool";

/** The results that directly follow message `index`. */
function resultsAfter({ index, messages }: PlacedMessage): readonly Fields[] {
  const rest = messages.slice(index + 1);
  const end = rest.findIndex((message) => !isToolMessage(message));
  return rest.slice(0, end < 0 ? undefined : end);
}

/** The message with the calls that the results around `index` answer. */
const callingMessage = ({ index, messages }: PlacedMessage): Fields =>
  fieldsOf(messages.slice(0, index).findLast((message) => !isToolMessage(message)));

const duplicatesIn = (ids: readonly unknown[]): readonly unknown[] =>
  ids.filter((id, index) => ids.indexOf(id) !== index);

function chatNeighborViolations(placed: PlacedMessage): readonly Violation[] {
  const { index, message, messages } = placed;
  if (isToolMessage(message)) {
    const calling = callingMessage(placed);
    const asked = toolCallIds(calling);
    return listViolations([calling, message], {
      [`messages[${index}]: messages with role 'tool' must be a response to a preceding message with 'tool_calls'`]:
        asked.length === 0,
      [`messages[${index}]: the tool_call_id ${String(message["tool_call_id"])} is not among the calls before it`]:
        asked.length > 0 && !asked.includes(message["tool_call_id"]),
    });
  }
  const ids = toolCallIds(message);
  const results = resultsAfter(placed);
  const answers = results.map((result) => result["tool_call_id"]);
  const missing = ids.filter((id) => !answers.includes(id));
  const next = messages[index + results.length + 1];
  return listViolations(
    [message, ...results, ...(missing.length > 0 && next !== undefined ? [next] : [])],
    {
      [`messages[${index}]: an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${missing.join(", ")}`]:
        missing.length > 0,
      [`messages[${index}]: duplicate tool call ids: ${duplicatesIn(ids).join(", ")}`]:
        duplicatesIn(ids).length > 0,
      [`messages[${index}]: several results for one call: ${duplicatesIn(answers).join(", ")}`]:
        ids.length > 0 && duplicatesIn(answers).length > 0,
    },
  );
}

/** The broken rules about messages that belong together. agno-agi/agno#5116: two results. */
export const chatPairingViolations = (messages: readonly Fields[]): readonly Violation[] =>
  messages.flatMap((message, index) => chatNeighborViolations({ index, message, messages }));
