import { type Fields, fields, holding, list } from "../fields.ts";

/** A message with its place. */
interface Placed {
  readonly n: number;
  readonly message: Fields;
  readonly messages: readonly Fields[];
}

const idsOf = (message: Fields): readonly unknown[] =>
  list(message["tool_calls"]).map(({ id }) => id);
const isResult = (message: Fields | undefined): boolean => message?.["role"] === "tool";

/** The results that stand right behind message `n`. */
function answersTo({ n, messages }: Placed): readonly unknown[] {
  const rest = messages.slice(n + 1);
  const end = rest.findIndex((message) => !isResult(message));
  return rest.slice(0, end < 0 ? undefined : end).map((message) => message["tool_call_id"]);
}

/** The message whose calls the results around `n` answer. */
const askedBy = ({ n, messages }: Placed): Fields =>
  fields(messages.slice(0, n).findLast((message) => !isResult(message)));

const twice = (ids: readonly unknown[]): readonly unknown[] =>
  ids.filter((id, n) => ids.indexOf(id) !== n);

function ofMessage(placed: Placed): readonly string[] {
  const { n, message } = placed;
  if (isResult(message)) {
    const asked = idsOf(askedBy(placed));
    return holding({
      [`messages[${n}]: messages with role 'tool' must be a response to a preceding message with 'tool_calls'`]:
        asked.length === 0,
      [`messages[${n}]: the tool_call_id ${String(message["tool_call_id"])} is not among the calls before it`]:
        asked.length > 0 && !asked.includes(message["tool_call_id"]),
    });
  }
  const ids = idsOf(message);
  const answers = answersTo(placed);
  const missing = ids.filter((id) => !answers.includes(id));
  return holding({
    [`messages[${n}]: an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${missing.join(", ")}`]:
      missing.length > 0,
    [`messages[${n}]: duplicate tool call ids: ${twice(ids).join(", ")}`]: twice(ids).length > 0,
    [`messages[${n}]: several results for one call: ${twice(answers).join(", ")}`]:
      ids.length > 0 && twice(answers).length > 0,
  });
}

/** The rules between messages. */
export const pairing = (messages: readonly Fields[]): readonly string[] =>
  messages.flatMap((message, n) => ofMessage({ n, message, messages }));
