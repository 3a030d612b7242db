import type { Frames, Wire } from "@fullstop/conformance";

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

/** The wire with each of its JSON frames changed. Other frames (`[DONE]`) stay unchanged. */
function mapFrames(wire: Wire, change: (frame: Fields, index: number) => Fields): Wire {
  const each = (list: readonly string[]): readonly string[] =>
    list.map((payload, index) =>
      payload.startsWith("{") ? JSON.stringify(change(JSON.parse(payload), index)) : payload,
    );
  const all = (frames: Frames): Frames => ({
    upToTerminal: each(frames.upToTerminal),
    after: each(frames.after ?? []),
  });
  return {
    ...wire,
    frames: (reply) => all(wire.frames(reply)),
    ...(wire.fixtures && {
      fixtures: wire.fixtures.map((fixture) => ({ ...fixture, frames: all(fixture.frames) })),
    }),
  };
}

const choicesOf = (frame: Fields): readonly Fields[] =>
  Array.isArray(frame["choices"]) ? frame["choices"] : [];

/**
 * Text in the first choice and calls in a second, each with its own end; only `[DONE]` ends both.
 * Other frames have no choices.
 */
export const splitChoices = ({ frames, ...wire }: Wire): Wire => {
  const split = mapFrames({ ...wire, frames }, inTwoChoices);
  return {
    ...split,
    ends: true,
    frames: (reply) => {
      const { upToTerminal, after = [] } = split.frames(reply);
      return { upToTerminal: [...upToTerminal, ...after] };
    },
  };
};

function inTwoChoices(frame: Fields): Fields {
  const choices = choicesOf(frame).flatMap((choice) => {
    const delta = fields(choice["delta"]);
    if (delta["tool_calls"] !== undefined) return [{ ...choice, index: 1 }];
    return choice["finish_reason"] === null ? [choice] : [choice, { ...choice, index: 1 }];
  });
  return {
    ...frame,
    choices: choices.length > 0 ? choices : null,
    ...(choices.length === 0 && { copilot_references: [] }),
  };
}

/** Repeats a call in the field of the API's first version, `function_call`. */
export const echoedCalls = (wire: Wire): Wire =>
  mapFrames(wire, (frame) => ({
    ...frame,
    choices: choicesOf(frame).map((choice) => {
      const delta = fields(choice["delta"]);
      const calls: readonly Fields[] = Array.isArray(delta["tool_calls"])
        ? delta["tool_calls"]
        : [];
      const [first] = calls;
      const echo = first === undefined ? undefined : fields(first["function"]);
      return echo === undefined ? choice : { ...choice, delta: { ...delta, function_call: echo } };
    }),
  }));

/**
 * Item ids change with every event, except the id of reasoning that belongs to its encrypted
 * content.
 */
export const rotatingIds = (wire: Wire): Wire =>
  mapFrames(wire, (frame, index) => {
    const item = fields(frame["item"]);
    const rotates =
      item["type"] !== undefined &&
      (item["type"] !== "reasoning" || frame["type"] === "response.output_item.added");
    return {
      ...frame,
      ...("item_id" in frame && { item_id: `b64/${index}+event==` }),
      ...(rotates && {
        item: { ...item, ...("id" in item && { id: `b64/${index}+${"x".repeat(80)}==` }) },
      }),
    };
  });
