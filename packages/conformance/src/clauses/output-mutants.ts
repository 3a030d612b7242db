import { type InputSchema, type ObjectReply, readObject, type Turn } from "@fullstop/core";
import { isObject, tryParseJson } from "../harness/json.ts";
import type { AdapterSubject } from "../subject.ts";

type ReadObject = ObjectReply<unknown>;

/** Changes what a subject makes of the replies to requests for an object. */
export const changeObjects =
  (change: (reply: ReadObject) => ReadObject) =>
  (sound: AdapterSubject): AdapterSubject => ({
    ...sound,
    readObject: async <Value>(
      ...[adapter, request, schema, options]: Parameters<typeof readObject<Value>>
    ): Promise<ObjectReply<Value>> => {
      const read = sound.readObject ?? readObject;
      const reply = await read(adapter, request, schema as InputSchema<unknown, unknown>, options);
      return change(reply) as ObjectReply<Value>;
    },
  });

export const giveOut = (turn: Turn, value: unknown): ReadObject => ({
  status: "done",
  value,
  turn,
});

/** The text of a reply's object, as far as it came: in a call, or in its text. */
export const objectTextOf = ({ calls, withheld, text }: Turn): string => {
  const [call] = calls;
  return call === undefined ? (withheld[0]?.inputText ?? text) : JSON.stringify(call.input);
};

const ends = ["", "}", '"}', "]}", '"]}', "null}", '":null}', "}}", "]}}", '"}}'];

/** The reply of a reader that closes the brackets of what came. */
export function closeBrackets(reply: ReadObject): ReadObject {
  const text = objectTextOf(reply.turn);
  const value = ends.map((end) => tryParseJson(text + end)).find(isObject);
  return value === undefined ? reply : giveOut(reply.turn, value);
}
