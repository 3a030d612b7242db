import { tryParseJson } from "../../harness/json.ts";
import type { CallRepetition } from "../../wire.ts";
import { type Fields, fieldsOf, objectsIn } from "../shared.ts";

const underOtherIds = (item: Fields): Fields =>
  "call_id" in item
    ? { ...item, id: `${item["id"]}_again`, call_id: `${item["call_id"]}_again` }
    : item;

function listUnderOtherIds(payload: string): string {
  const event = fieldsOf(tryParseJson(payload));
  const response = fieldsOf(event["response"]);
  const output = objectsIn(response["output"]).map(underOtherIds);
  return JSON.stringify({ ...event, response: { ...response, output } });
}

/** The final response lists the calls of the events once more. */
export const responsesRepetitions: readonly CallRepetition[] = [
  {
    id: "other-ids-in-output",
    how: "which the final response lists under another id",
    repeat: ({ upToTerminal, after }) => ({
      upToTerminal: upToTerminal.map((payload, index) =>
        index === upToTerminal.length - 1 ? listUnderOtherIds(payload) : payload,
      ),
      ...(after && { after }),
    }),
  },
];
