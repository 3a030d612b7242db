import type { Received } from "../harness/host.ts";
import { isObject, nestedValues, tryParseJson } from "../harness/json.ts";
import { simpleReply } from "./corpus.ts";
import { ask, type Observation, type ReadyRoute } from "./observe.ts";

/** The requests of a route that are looked at, as they arrived at upstream. */
export interface RequestProbes {
  /** A request with instructions, tools and a cap. */
  readonly first: Observation;
  /** The same with the older name of the cap, if the protocol in front has one. */
  readonly olderCap?: Observation;
  /** A request with the results of two calls. */
  readonly results?: Observation;
}

/** The older name of the cap in Chat Completions. */
export const olderCapMember = "max_tokens";
export const resultOf = (name: string): string => `The result of ${name}.`;

/** Sends the requests. The results answer the calls that came out in front. */
export async function probeRequests(route: ReadyRoute): Promise<RequestProbes> {
  const first = await ask(route, simpleReply(route.behind, false));
  const olderCap =
    route.front === "openai-chat"
      ? await ask(route, simpleReply(route.behind, false), { capMember: olderCapMember })
      : undefined;
  const { heard } = await ask(route, simpleReply(route.behind, true));
  const blocks = (heard.turn.message?.content ?? []).filter((block) => block.type === "tool-call");
  const answered = heard.turn.calls.map(({ id, name, input }) => ({
    id: blocks.find((block) => block.id === id)?.nativeId ?? id,
    name,
    input,
    result: resultOf(name),
  }));
  const results =
    answered.length < 2
      ? undefined
      : await ask(route, simpleReply(route.behind, false), { answered });
  return { first, ...(olderCap && { olderCap }), ...(results && { results }) };
}

/** A request as it arrived at upstream, at the last attempt. */
export const arrivedAt = ({ requests }: Observation): Received | undefined => requests.at(-1);
export const bodyOf = (observation: Observation): unknown =>
  tryParseJson(arrivedAt(observation)?.body ?? "");

export function callsIn(body: unknown): readonly { readonly id: string; readonly name: string }[] {
  return [...nestedValues(body)].flatMap((value) => {
    if (!isObject(value)) return [];
    const { function: chat, functionCall: camel, function_call: snake } = value;
    const inner = [chat, camel, snake].find(isObject) ?? value;
    const hasInput = ["arguments", "input", "args"].some((key) => Object.hasOwn(inner, key));
    const { name } = inner;
    const id = value["call_id"] ?? value["id"] ?? inner["id"] ?? name;
    return hasInput && typeof name === "string" ? [{ id: String(id), name }] : [];
  });
}
