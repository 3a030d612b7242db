import { type Fields, fieldsOf, objectsIn } from "./frames.ts";
import type { ProtocolName } from "./protocols.ts";

/** How the events of a protocol are changed in place. */
export interface Editor {
  /** Whether the event has a native stop reason, which is then another one. */
  setStop(event: Fields, stop: string): boolean;
  /** Whether the event has a usage, which is then another one. */
  setUsage(event: Fields, output: number): boolean;
  /** Whether the protocol's own end begins with the event. */
  isEnd(event: Fields): boolean;
  /** The ids of the reply and of its calls. */
  idsOf(event: Fields): readonly unknown[];
  /** Sends the first call once more. Undefined: there is none. */
  repeat(events: readonly Fields[]): Repeated | undefined;
}

/** Events of which some were changed in place, and copies to insert. */
interface Repeated {
  readonly changed?: readonly number[];
  readonly added?: readonly { readonly of: number; readonly event: Fields }[];
  /** The number of the event that the copies follow. */
  readonly after?: number;
}

/** Sets a member that is there, and not null. */
function setMember(holder: unknown, key: string, value: unknown): boolean {
  const fields = fieldsOf(holder);
  if (fields[key] === undefined || fields[key] === null) return false;
  fields[key] = value;
  return true;
}

/** Copies the events of one index under the next free one, behind the last of them. */
function repeatIndexed(
  events: readonly Fields[],
  indexOf: (event: Fields) => number | undefined,
  isCall: (event: Fields) => boolean,
  setIndex: (event: Fields, index: number) => void,
): Repeated | undefined {
  const first = events.find(isCall);
  const index = first && indexOf(first);
  if (index === undefined) return undefined;
  const next = Math.max(...events.map((event) => indexOf(event) ?? 0)) + 1;
  const added = events.flatMap((event, of) => {
    if (indexOf(event) !== index) return [];
    const copy = structuredClone(event);
    setIndex(copy, next);
    return [{ of, event: copy }];
  });
  const after = events.findLastIndex((event) => indexOf(event) !== undefined);
  return { added, after };
}

/** Adds a copy of the first call to a list of calls in one event. */
function repeatInList(
  events: readonly Fields[],
  listOf: (event: Fields) => unknown,
  isCall: (item: Fields) => boolean = () => true,
): Repeated | undefined {
  const index = events.findIndex((event) => objectsIn(listOf(event)).some(isCall));
  const list = listOf(events[index] ?? {});
  const call = objectsIn(list).find(isCall);
  if (call === undefined || !Array.isArray(list)) return undefined;
  list.push(structuredClone(call));
  return { changed: [index] };
}

const numberIn = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;

const anthropic: Editor = {
  setStop: (event, stop) =>
    setMember(event["delta"], "stop_reason", stop) || setMember(event, "stop_reason", stop),
  setUsage: (event, output) =>
    (event["type"] === "message_delta" || event["type"] === "message") &&
    setMember(event["usage"], "output_tokens", output),
  isEnd: ({ type }) => type === "message_stop",
  idsOf: ({ id, message, content_block: block, content }) => [
    id,
    fieldsOf(message)["id"],
    fieldsOf(block)["id"],
    ...objectsIn(content).map((one) => one["id"]),
  ],
  repeat: (events) =>
    repeatInList(
      events,
      ({ content }) => content,
      ({ type }) => type === "tool_use",
    ) ??
    repeatIndexed(
      events,
      ({ index }) => numberIn(index),
      ({ content_block: block }) => fieldsOf(block)["type"] === "tool_use",
      (event, index) => {
        event["index"] = index;
      },
    ),
};

const choiceOf = ({ choices }: Fields): Fields => objectsIn(choices)[0] ?? {};
const deltaCalls = (event: Fields): readonly Fields[] =>
  objectsIn(fieldsOf(choiceOf(event)["delta"])["tool_calls"]);

const chat: Editor = {
  setStop: (event, stop) => setMember(choiceOf(event), "finish_reason", stop),
  setUsage: (event, output) => setMember(event["usage"], "completion_tokens", output),
  isEnd: (event) => typeof choiceOf(event)["finish_reason"] === "string",
  idsOf: (event) => [
    event["id"],
    ...[...deltaCalls(event), ...objectsIn(fieldsOf(choiceOf(event)["message"])["tool_calls"])].map(
      ({ id }) => id,
    ),
  ],
  repeat: (events) =>
    repeatInList(events, (event) => fieldsOf(choiceOf(event)["message"])["tool_calls"]) ??
    repeatIndexed(
      events,
      (event) => numberIn(deltaCalls(event)[0]?.["index"]),
      (event) => deltaCalls(event).length > 0,
      (event, index) => setMember(deltaCalls(event)[0], "index", index),
    ),
};

const responseOf = (event: Fields): Fields =>
  event["object"] === "response" ? event : fieldsOf(event["response"]);
const responseEnds = /^response\.(?:completed|incomplete|failed|cancelled)$/;

/** `incomplete:max_output_tokens` is a status and its reason. */
function setStatus(event: Fields, stop: string): boolean {
  const isLast = event["object"] === "response" || responseEnds.test(String(event["type"]));
  const [status = "", reason] = stop.split(":");
  if (!isLast || !setMember(responseOf(event), "status", status)) return false;
  responseOf(event)["incomplete_details"] = reason === undefined ? null : { reason };
  if (responseEnds.test(`response.${status}`) && "response" in event)
    event["type"] = `response.${status}`;
  return true;
}

const responses: Editor = {
  setStop: setStatus,
  setUsage: (event, output) => setMember(responseOf(event)["usage"], "output_tokens", output),
  isEnd: ({ type }) => responseEnds.test(String(type)),
  idsOf: (event) =>
    [responseOf(event), fieldsOf(event["item"]), ...objectsIn(responseOf(event)["output"])].flatMap(
      ({ id, call_id: call }) => [id, call],
    ),
  repeat: (events) =>
    repeatInList(
      events.filter(({ object }) => object === "response"),
      ({ output }) => output,
      ({ type }) => type === "function_call",
    ) ??
    repeatIndexed(
      events,
      ({ output_index: index }) => numberIn(index),
      ({ item }) => fieldsOf(item)["type"] === "function_call",
      (event, index) => {
        event["output_index"] = index;
      },
    ),
};

const candidateOf = ({ candidates }: Fields): Fields => objectsIn(candidates)[0] ?? {};
const gemini: Editor = {
  setStop: (event, stop) => setMember(candidateOf(event), "finishReason", stop),
  setUsage: (event, output) => setMember(event["usageMetadata"], "candidatesTokenCount", output),
  isEnd: (event) => typeof candidateOf(event)["finishReason"] === "string",
  idsOf: (event) => [
    event["responseId"],
    ...objectsIn(fieldsOf(candidateOf(event)["content"])["parts"]).map(
      (part) => fieldsOf(part["functionCall"])["id"],
    ),
  ],
  repeat: (events) =>
    repeatInList(
      events,
      (event) => fieldsOf(candidateOf(event)["content"])["parts"],
      (part) => part["functionCall"] !== undefined,
    ),
};

/** The interaction in an event, or the body. */
const interactionOf = (event: Fields): Fields =>
  event["event_type"] === undefined ? event : fieldsOf(event["interaction"]);
const isCompleted = (event: Fields): boolean =>
  event["event_type"] === undefined || event["event_type"] === "interaction.completed";
const interactions: Editor = {
  setStop: (event, stop) => isCompleted(event) && setMember(interactionOf(event), "status", stop),
  setUsage: (event, output) =>
    setMember(interactionOf(event)["usage"], "total_output_tokens", output),
  isEnd: ({ event_type: type }) => type === "interaction.completed",
  idsOf: (event) =>
    [interactionOf(event), fieldsOf(event["step"]), ...objectsIn(event["steps"])].map(
      ({ id }) => id,
    ),
  repeat: (events) =>
    repeatInList(
      events,
      ({ steps }) => steps,
      ({ type }) => type === "function_call",
    ) ??
    repeatIndexed(
      events,
      ({ index }) => numberIn(index),
      ({ step }) => fieldsOf(step)["type"] === "function_call",
      (event, index) => {
        event["index"] = index;
      },
    ),
};

const ollama: Editor = {
  setStop: (event, stop) => setMember(event, "done_reason", stop),
  setUsage: (event, output) => setMember(event, "eval_count", output),
  isEnd: ({ done }) => done === true,
  idsOf: () => [],
  repeat: (events) => repeatInList(events, ({ message }) => fieldsOf(message)["tool_calls"]),
};

export const editors: Readonly<Record<ProtocolName, Editor>> = {
  "anthropic-messages": anthropic,
  "openai-chat": chat,
  "openai-chat-other": chat,
  "openai-responses": responses,
  "gemini-generate-content": gemini,
  "gemini-interactions": interactions,
  "ollama-chat": ollama,
};
