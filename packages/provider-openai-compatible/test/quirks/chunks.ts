import type { Frames, Wire } from "@fullstop/conformance";

/** How a host sends the same reply differently. */
export type Quirk = (wire: Wire) => Wire;

export interface ToolDelta {
  readonly index?: number;
  readonly id?: string | null;
  readonly type?: string;
  readonly function: { readonly name?: string | null; readonly arguments?: unknown };
}
export interface Choice {
  readonly index?: number;
  readonly delta: Readonly<Record<string, unknown>> & {
    readonly tool_calls?: readonly ToolDelta[];
  };
  readonly finish_reason: string | null;
}
export type Chunk = Readonly<Record<string, unknown>> & { readonly choices: readonly Choice[] };

const isChunk = (value: unknown): value is Chunk =>
  typeof value === "object" && value !== null && "choices" in value;

/** Rewrites the chunks of every neutral reply. The fixtures are OpenAI's and stay unchanged. */
export const rewriting =
  (rewrite: (chunks: readonly Chunk[]) => readonly Chunk[]): Quirk =>
  (wire) => ({
    ...wire,
    frames: (reply) => {
      const frames = wire.frames(reply);
      const chunks = frames.upToTerminal.map((payload) => JSON.parse(payload) as Chunk);
      return { ...frames, upToTerminal: rewrite(chunks).map((chunk) => JSON.stringify(chunk)) };
    },
  });

/** Rewrites the tool calls of each chunk. `earlier`: all calls before it. */
export const rewritingCalls = (
  rewrite: (call: ToolDelta, earlier: readonly ToolDelta[]) => readonly ToolDelta[],
): Quirk => {
  return rewriting((chunks) => {
    const earlier: ToolDelta[] = [];
    return chunks.flatMap((chunk) => {
      const calls = chunk.choices[0]?.delta.tool_calls;
      if (calls === undefined) return [chunk];
      return calls.flatMap((call) => {
        const rewritten = rewrite(call, earlier);
        earlier.push(call);
        return rewritten.map((one) => withCalls(chunk, [one]));
      });
    });
  });
};

export const withCalls = (chunk: Chunk, calls: readonly ToolDelta[]): Chunk =>
  withChoice(chunk, { delta: { tool_calls: calls } });
export const withChoice = (chunk: Chunk, change: Readonly<Record<string, unknown>>): Chunk => ({
  ...chunk,
  choices: chunk.choices.map((choice) => ({ ...choice, ...change })),
});

/** Rewrites the chunks after the terminal event. */
export const after =
  (rewrite: (chunks: readonly Chunk[]) => readonly Chunk[]): Quirk =>
  (wire) => ({
    ...wire,
    frames: (reply) => {
      const frames: Frames = wire.frames(reply);
      const chunks = (frames.after ?? [])
        .filter((payload) => payload !== "[DONE]")
        .map((payload) => JSON.parse(payload) as unknown);
      return {
        ...frames,
        after: [...rewrite(chunks.filter(isChunk)).map((chunk) => JSON.stringify(chunk)), "[DONE]"],
      };
    },
  });

export const all =
  (...quirks: readonly Quirk[]): Quirk =>
  (wire) =>
    quirks.reduce((changed, quirk) => quirk(changed), wire);
