import { type Fields, fieldsOf, listViolations, objectsIn } from "../fields.ts";

/** A message with its position among all messages. */
interface PlacedMessage {
  readonly n: number;
  readonly message: Fields;
  readonly messages: readonly Fields[];
}

const toolCallIds = (message: Fields): readonly unknown[] =>
  objectsIn(message["tool_calls"]).map(({ id }) => id);
const isToolMessage = (message: Fields | undefined): boolean => message?.["role"] === "tool";

/** The call ids of the results that directly follow message `n`. */
function resultIdsAfter({ n, messages }: PlacedMessage): readonly unknown[] {
  const rest = messages.slice(n + 1);
  const end = rest.findIndex((message) => !isToolMessage(message));
  return rest.slice(0, end < 0 ? undefined : end).map((message) => message["tool_call_id"]);
}

/** The message with the calls that the results around `n` answer. */
const callingMessage = ({ n, messages }: PlacedMessage): Fields =>
  fieldsOf(messages.slice(0, n).findLast((message) => !isToolMessage(message)));

const duplicatesIn = (ids: readonly unknown[]): readonly unknown[] =>
  ids.filter((id, n) => ids.indexOf(id) !== n);

function chatNeighborViolations(placed: PlacedMessage): readonly string[] {
  const { n, message } = placed;
  if (isToolMessage(message)) {
    const asked = toolCallIds(callingMessage(placed));
    return listViolations({
      [`messages[${n}]: messages with role 'tool' must be a response to a preceding message with 'tool_calls'`]:
        asked.length === 0,
      [`messages[${n}]: the tool_call_id ${String(message["tool_call_id"])} is not among the calls before it`]:
        asked.length > 0 && !asked.includes(message["tool_call_id"]),
    });
  }
  const ids = toolCallIds(message);
  const answers = resultIdsAfter(placed);
  const missing = ids.filter((id) => !answers.includes(id));
  return listViolations({
    [`messages[${n}]: an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${missing.join(", ")}`]:
      missing.length > 0,
    [`messages[${n}]: duplicate tool call ids: ${duplicatesIn(ids).join(", ")}`]:
      duplicatesIn(ids).length > 0,
    [`messages[${n}]: several results for one call: ${duplicatesIn(answers).join(", ")}`]:
      ids.length > 0 && duplicatesIn(answers).length > 0,
  });
}

/** The broken rules about messages that belong together. */
export const chatPairingViolations = (messages: readonly Fields[]): readonly string[] =>
  messages.flatMap((message, n) => chatNeighborViolations({ n, message, messages }));
