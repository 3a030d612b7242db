import type { ClaimedStop } from "@fullstop/core/adapter";
import { after, all, type Chunk, type Quirk, rewriting, withChoice } from "./chunks.ts";

/** Adds native stop reasons for the reasons that they mean. */
export const withNativeStops =
  (more: Readonly<Partial<Record<ClaimedStop, string>>>): Quirk =>
  (wire) => ({ ...wire, nativeStops: { ...wire.nativeStops, ...more } });

/** OpenAI with a named tool choice, and Gemini's endpoint: a reply with calls ends with `stop`. */
export const stopForCalls: Quirk = (wire) => ({
  ...wire,
  nativeStops: { ...wire.nativeStops, "tool-use": wire.nativeStops.stop ?? "" },
});

/** Without the fields that no reader uses. */
export const terse: Quirk = all(
  rewriting((chunks) =>
    chunks.map(
      ({ choices }) =>
        ({
          choices: choices.map(({ index, delta, finish_reason }) => ({
            index,
            delta,
            finish_reason,
          })),
        }) as Chunk,
    ),
  ),
  after((chunks) => chunks.map(({ choices, usage }) => ({ choices, usage }))),
);

/** The usage in the chunk with `finish_reason` instead of after it. */
export const usageWithFinishReason: Quirk = (wire) => ({
  ...wire,
  frames: (reply) => {
    const { upToTerminal, after: rest = [] } = wire.frames(reply);
    const usage = rest
      .map((payload) =>
        payload === "[DONE]" ? undefined : (JSON.parse(payload) as Chunk)["usage"],
      )
      .find(Boolean);
    return {
      upToTerminal: [
        ...upToTerminal.slice(0, -1),
        JSON.stringify({ ...JSON.parse(upToTerminal.at(-1) ?? "{}"), usage }),
      ],
      after: ["[DONE]"],
    };
  },
});
/**
 * A reply without `finish_reason` gets no usage report either: with one it would be finished (see
 * the fixtures of `custom`).
 */
export const withoutUsageIfUnfinished: Quirk = ({ frames, ...wire }) => ({
  ...wire,
  frames: (reply) => {
    const { upToTerminal, after: rest = [] } = frames(reply);
    if (!["", "null"].includes(reply.stop.trim())) return { upToTerminal, after: rest };
    return {
      upToTerminal: upToTerminal.map(withoutUsage),
      after: rest.map(withoutUsage),
    };
  },
});
/** Removes the usage at the top level, in `x_groq` and in the choice. */
const withoutUsage = (payload: string): string =>
  payload === "[DONE]"
    ? payload
    : JSON.stringify(JSON.parse(payload), (key, value) =>
        ["usage", "x_groq"].includes(key) ? null : value,
      );

/** Groq: the usage in `x_groq`. */
export const usageInGroq: Quirk = after((chunks) =>
  chunks.map(({ usage, ...chunk }) => ({ ...chunk, x_groq: { id: "req_01", usage } })),
);
/** Kimi: the usage in the choice. */
export const usageInChoice: Quirk = (wire) => {
  const { frames } = usageWithFinishReason(wire);
  return {
    ...wire,
    frames: (reply) => {
      const { upToTerminal, ...rest } = frames(reply);
      const { usage, ...last } = JSON.parse(upToTerminal.at(-1) ?? "{}") as Chunk;
      return {
        ...rest,
        upToTerminal: [
          ...upToTerminal.slice(0, -1),
          JSON.stringify(withChoice(last as Chunk, { usage })),
        ],
      };
    },
  };
};

/** OpenRouter: also the stop reason of the upstream provider. */
export const withNativeFinishReason: Quirk = rewriting((chunks) =>
  chunks.map((chunk) =>
    withChoice(chunk, {
      native_finish_reason: chunk.choices[0]?.finish_reason === null ? null : "end_turn",
    }),
  ),
);

/**
 * NIM with GLM: a finished reply ends with `[DONE]` and without `finish_reason`. Cut replies have
 * one.
 */
export const withoutFinishReason: Quirk = ({ whole, frames, ...wire }) => ({
  ...wire,
  nativeStops: { ...wire.nativeStops, stop: "[DONE]", "tool-use": "[DONE]" },
  ends: true,
  frames: (reply) => {
    const { upToTerminal, after: rest = [] } = frames(reply);
    return reply.stop === "[DONE]"
      ? { upToTerminal: [...upToTerminal.slice(0, -1), ...rest] }
      : { upToTerminal, after: rest };
  },
  ...(whole && {
    whole: (reply) => whole(reply).replace('"finish_reason":"[DONE]"', '"finish_reason":null'),
  }),
});

/** Reasoning before the answer, in a field of its own. */
export const reasoningIn = (field: "reasoning" | "reasoning_content"): Quirk =>
  rewriting(([role, ...chunks]) => [
    ...(role === undefined ? [] : [role]),
    ...(role === undefined
      ? []
      : ["First ", "think."].map((thought) =>
          withChoice(role, { delta: { content: null, [field]: thought } }),
        )),
    ...chunks,
  ]);
