import type { ClaimedStop } from "@fullstop/core/adapter";
import { after, all, type Chunk, type Quirk, rewriting, withChoice } from "./chunks.ts";

/** More words, each for the reason that it stands for. */
export const words =
  (more: Readonly<Partial<Record<ClaimedStop, string>>>): Quirk =>
  (wire) => ({ ...wire, nativeStops: { ...wire.nativeStops, ...more } });

/** OpenAI with a named tool choice, Gemini's endpoint: calls come under the word for a finished text. */
export const stopForCalls: Quirk = (wire) => ({
  ...wire,
  nativeStops: { ...wire.nativeStops, "tool-use": wire.nativeStops.stop ?? "" },
});

/** Without what nobody reads. */
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

/** The usage with the last word instead of behind it. */
export const usageWithWord: Quirk = (wire) => ({
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
/** A reply without a word has no usage report either: with one it is an end (see the fixtures of `custom`). */
export const uncountedWithoutWord: Quirk = ({ frames, ...wire }) => ({
  ...wire,
  frames: (reply) => {
    const said = frames(reply);
    if (!["", "null"].includes(reply.stop.trim())) return said;
    return {
      upToTerminal: said.upToTerminal.map(withoutUsage),
      after: said.after?.map(withoutUsage) ?? [],
    };
  },
});
/** Wherever it is said: at the top, in a member of its own, inside the choice. */
const withoutUsage = (payload: string): string =>
  payload === "[DONE]"
    ? payload
    : JSON.stringify(JSON.parse(payload), (key, value) =>
        ["usage", "x_groq"].includes(key) ? null : value,
      );

/** Groq: in a member of its own. */
export const usageInGroq: Quirk = after((chunks) =>
  chunks.map(({ usage, ...chunk }) => ({ ...chunk, x_groq: { id: "req_01", usage } })),
);
/** Kimi: inside the choice. */
export const usageInChoice: Quirk = (wire) => {
  const { frames } = usageWithWord(wire);
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

/** OpenRouter: the word of the provider behind it too. */
export const nativeWord: Quirk = rewriting((chunks) =>
  chunks.map((chunk) =>
    withChoice(chunk, {
      native_finish_reason: chunk.choices[0]?.finish_reason === null ? null : "end_turn",
    }),
  ),
);

/** NIM with GLM: no word behind a finished reply, and then `[DONE]`. Cut replies still have theirs. */
export const withoutWord: Quirk = ({ whole, frames, ...wire }) => ({
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

/** The chain of thought before the answer, in a field beside it. */
export const reasoningIn = (field: "reasoning" | "reasoning_content"): Quirk =>
  rewriting(([role, ...chunks]) => [
    ...(role === undefined ? [] : [role]),
    ...(role === undefined
      ? []
      : ["First ", "think."].map((said) =>
          withChoice(role, { delta: { content: null, [field]: said } }),
        )),
    ...chunks,
  ]);
