import fc from "fast-check";
import { expect } from "vitest";
import { runs } from "./property.ts";

/** Texts that encoders treat differently. */
export const texts: fc.Arbitrary<string> = fc.constantFrom("", " \n", "Hi.", "{");

interface Text {
  readonly type: "text";
  readonly text: string;
}
interface Bytes<Type extends "image" | "file"> {
  readonly type: Type;
  readonly mediaType: string;
  readonly data: string;
}
const bytesOf = <Type extends "image" | "file">(
  type: Type,
  data: string,
  ...types: readonly string[]
): fc.Arbitrary<Bytes<Type>> =>
  fc.constantFrom(...types).map((mediaType) => ({ type, mediaType, data }));

/** What a person or a tool sends. `more`: blocks that only some APIs take. */
export const contentsWith = <More = never>(
  ...more: readonly fc.Arbitrary<More>[]
): fc.Arbitrary<Content<More>> =>
  fc.oneof(
    texts,
    fc.array(
      fc.oneof(
        texts.map((text): Text => ({ type: "text", text })),
        bytesOf("image", "AAAA", "image/png", "image/tiff"),
        bytesOf("file", "QQ==", "application/pdf", "text/plain", "video/mp4"),
        ...more,
      ),
      { maxLength: 3 },
    ),
  );
type Content<More> = string | readonly (Text | Bytes<"image"> | Bytes<"file"> | More)[];

/** A call, before its history gives it an id. */
export interface Call {
  readonly type: "tool-call";
  readonly name: string;
  readonly inputText: string;
  readonly kind?: "text";
}
export const calls: fc.Arbitrary<Call> = fc
  .record({
    name: fc.constantFrom("read", "fs.read:1", "ü".repeat(200)),
    inputText: fc.constantFrom("", "{}", '{"a":1}', "[1]", '{"a":', "text", "null"),
    isText: fc.boolean(),
  })
  .map(({ isText, ...call }) => ({ type: "tool-call", ...call, ...(isText && { kind: "text" }) }));

/** What the histories of a protocol hold. */
interface HistoryParts<Block, Built, From, More> {
  readonly contents: fc.Arbitrary<Content<More>>;
  readonly blocks: fc.Arbitrary<Block>;
  readonly from: fc.Arbitrary<From | undefined>;
  /** The blocks of a message. `count` is the number of blocks before. */
  build(block: Block, count: number): readonly Built[];
}
type Result<More> = {
  readonly type: "tool-result";
  readonly id: string;
  readonly name: string;
  readonly content: Content<More>;
  readonly isError?: boolean;
};
type HistoryMessage<Built, From, More> =
  | { readonly role: "user"; readonly content: Content<More>; readonly by?: "loop" }
  | { readonly role: "assistant"; readonly content: readonly Built[]; readonly from?: From }
  | { readonly role: "tool"; readonly content: readonly Result<More>[] };

/** Valid histories: the results of calls follow them, in their order. */
export function historiesOf<Block, Built extends { readonly type: string }, From, More>({
  contents,
  blocks,
  from,
  build,
}: HistoryParts<Block, Built, From, More>): fc.Arbitrary<
  readonly HistoryMessage<Built, From, More>[]
> {
  const turns = fc.array(
    fc.record({
      before: fc.array(fc.record({ content: contents, isOfLoop: fc.boolean() }), { maxLength: 2 }),
      blocks: fc.array(blocks, { maxLength: 5 }),
      from,
      results: fc.array(fc.record({ content: contents, isError: fc.boolean() }), {
        minLength: 5,
        maxLength: 5,
      }),
    }),
    { maxLength: 4 },
  );
  return fc.tuple(turns, fc.boolean()).map(([all, endsWithUser]) => {
    let count = 0;
    const messages = all.flatMap((turn): readonly HistoryMessage<Built, From, More>[] => {
      const built = turn.blocks.flatMap((block) => build(block, count++));
      const results = built.filter(isCall).map(({ id, name }, at): Result<More> => {
        const { content = "", isError = false } = turn.results[at] ?? {};
        return { type: "tool-result", id, name, content, isError };
      });
      return [
        ...turn.before.map(({ content, isOfLoop }) => ({
          role: "user" as const,
          content,
          ...(isOfLoop && { by: "loop" as const }),
        })),
        ...(built.length > 0
          ? [{ role: "assistant" as const, content: built, ...(turn.from && { from: turn.from }) }]
          : []),
        ...(results.length > 0 ? [{ role: "tool" as const, content: results }] : []),
      ];
    });
    return endsWithUser || messages.length === 0
      ? [...messages, { role: "user", content: "Go on." }]
      : messages;
  });
}

interface NamedCall {
  readonly id: string;
  readonly name: string;
}
const isCall = <Built extends { readonly type: string }>(
  block: Built,
): block is Built & NamedCall => block.type === "tool-call";

type Tools = readonly {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}[];
const tools: fc.Arbitrary<Tools> = fc.constantFrom<Tools>(
  [],
  [{ name: "read", description: "Reads.", inputSchema: {} }],
);

/** Sends a request with each history, with tools and without. No rule of the API may be broken. */
export const expectNoViolations = <Messages>(
  histories: fc.Arbitrary<Messages>,
  violationsOf: (messages: Messages, tools: Tools) => Promise<readonly unknown[]>,
  whenFull = 500,
): Promise<void> =>
  fc.assert(
    fc.asyncProperty(histories, tools, async (messages, offered) => {
      expect(await violationsOf(messages, offered)).toEqual([]);
    }),
    { numRuns: runs(whenFull) },
  );
