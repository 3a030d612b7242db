import type { Frames, Wire } from "@fullstop/conformance";

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

/** The wire, each of its frames said in another way; what is no JSON (`[DONE]`) is said as it is. */
function saying(wire: Wire, say: (frame: Fields, at: number) => Fields): Wire {
  const each = (list: readonly string[]): readonly string[] =>
    list.map((payload, at) =>
      payload.startsWith("{") ? JSON.stringify(say(JSON.parse(payload), at)) : payload,
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

/** Text in the first choice and calls in a second, each with its end; a frame of another kind has no choices at all. Only `[DONE]` ends all of them. */
export const splitChoices = ({ frames, ...wire }: Wire): Wire => {
  const said = saying({ ...wire, frames }, inTwoChoices);
  return {
    ...said,
    ends: true,
    frames: (reply) => {
      const { upToTerminal, after = [] } = said.frames(reply);
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

/** What a call says is said once more in the field of the API's first version. */
export const echoedCalls = (wire: Wire): Wire =>
  saying(wire, (frame) => ({
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

/** Item ids change with every event; those of reasoning are what its encrypted content came with. */
export const rotatingIds = (wire: Wire): Wire =>
  saying(wire, (frame, at) => {
    const item = fields(frame["item"]);
    const rotates =
      item["type"] !== undefined &&
      (item["type"] !== "reasoning" || frame["type"] === "response.output_item.added");
    return {
      ...frame,
      ...("item_id" in frame && { item_id: `b64/${at}+event==` }),
      ...(rotates && {
        item: { ...item, ...("id" in item && { id: `b64/${at}+${"x".repeat(80)}==` }) },
      }),
    };
  });
