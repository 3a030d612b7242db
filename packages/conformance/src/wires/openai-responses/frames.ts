import { tokensFor } from "../../harness/tokens.ts";
import type { Frames, Reply } from "../../wire.ts";
import { functionCall, type Item, refusal, text, undone } from "./items.ts";

/** https://developers.openai.com/api/reference/resources/responses/streaming-events */
export type Event = Readonly<Record<string, unknown>> & { readonly type: string };
type Fields = Readonly<Record<string, unknown>>;

export interface Ending {
  /** `status`, or `status:detail` where `incomplete_details`, an error or a refusal says more. */
  readonly stop: string;
  readonly output?: number;
  /** Over the response's own fields: a gateway's `output`, `status`, `usage`. */
  readonly response?: Fields;
}

const [completed, incomplete, failed] = ["completed", "incomplete", "failed"] as const;
const split = (stop: string): readonly [status: string, detail: string | undefined] => {
  const at = stop.indexOf(":");
  return at < 0 ? [stop, undefined] : [stop.slice(0, at), stop.slice(at + 1)];
};

const codes: Readonly<Record<string, string>> = {
  context_length_exceeded:
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
};
const errorOf = (code = "server_error"): Fields => ({
  code,
  message: codes[code] ?? "The server had an error processing your request. Sorry about that!",
});

/** The response, as far as it is written; settings that it only repeats are left out. */
const response = (status: string, rest: Fields = {}): Fields => ({
  id: "resp_68a1b2",
  object: "response",
  created_at: 1795521600,
  status,
  error: null,
  incomplete_details: null,
  model: "gpt-5.5-2026-09-03",
  output: [],
  parallel_tool_calls: true,
  store: false,
  tool_choice: "auto",
  tools: [],
  usage: null,
  ...rest,
});

const usage = (output: number): Fields => ({
  input_tokens: 25,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 25 + output,
});

const finals = (items: readonly Item[]): readonly Fields[] =>
  items.flatMap(({ done, final = done }) => (final === undefined ? [] : [final]));

/** The response that is whole. */
export function wholeResponse(
  items: readonly Item[],
  { stop, output = tokensFor(stop.startsWith("incomplete:max_")), response: rest }: Ending,
): Fields {
  const [status, detail] = split(stop);
  return response(status, {
    output: finals(items),
    usage: status === failed ? null : usage(output),
    ...(status === incomplete && {
      incomplete_details: detail === undefined ? null : { reason: detail },
    }),
    ...(status === failed && { error: errorOf(detail) }),
    ...rest,
  });
}

/** A status that has no event of its own comes in the event for a whole response. */
const names: ReadonlySet<string> = new Set([completed, incomplete, failed]);
export const terminal = (items: readonly Item[], ending: Ending): Event => {
  const [status] = split(ending.stop);
  return {
    type: `response.${names.has(status) ? status : completed}`,
    response: wholeResponse(items, ending),
  };
};

const itemEvents = ({ added, events = [], done }: Item, index: number): readonly Event[] => [
  ...(added === undefined
    ? []
    : [{ type: "response.output_item.added", output_index: index, item: added }]),
  ...events.map(({ type, fields }) => ({ type, output_index: index, ...fields })),
  ...(done === undefined
    ? []
    : [{ type: "response.output_item.done", output_index: index, item: done }]),
];

/** The events of a response, without what ends it. */
export const begun = (items: readonly Item[]): readonly Event[] => [
  { type: "response.created", response: response("in_progress") },
  { type: "response.in_progress", response: response("in_progress") },
  ...items.flatMap(itemEvents),
];

export const toFrames = (events: readonly Event[]): Frames => ({
  upToTerminal: events.map((event, sequence_number) =>
    JSON.stringify({ ...event, sequence_number }),
  ),
});

/** A response with its end. */
export const reply = (items: readonly Item[], ending: Ending): Frames =>
  toFrames([...begun(items), terminal(items, ending)]);

/** What a refused reply says, it says as a refusal. */
function itemsOf({ blocks, stop }: Reply): readonly Item[] {
  const refused = stop === `${completed}:refusal`;
  const items = blocks.map((block, n): Item => {
    if ("name" in block)
      return functionCall({ id: block.id, name: block.name, written: JSON.stringify(block.input) });
    return refused ? refusal(block.text, `msg_${n}`) : text(block.text, `msg_${n}`);
  });
  const says = blocks.some((block) => "text" in block);
  return refused && !says ? [...items, refusal("", "msg_refusal")] : items;
}

export const frames = (said: Reply): Frames =>
  reply(itemsOf(said), { stop: said.stop, output: said.output });

/** The reply, nothing of its last item done, and that not in the whole response: as gateways send it that keep nothing. */
export function unclosed(said: Reply): Frames {
  const items = itemsOf(said);
  const open = items.map((item, n) => (n === items.length - 1 ? undone(item) : item));
  return reply(open, { stop: said.stop, output: said.output, response: { output: [] } });
}

/** The reply to a request without `stream`. */
export const wholeBody = (said: Reply): string =>
  JSON.stringify(wholeResponse(itemsOf(said), { stop: said.stop, output: said.output }));
