import fc from "fast-check";
import {
  delta,
  end,
  type Native,
  native,
  providerData,
  type Setting,
  start,
  stop,
  text,
  thinking,
  usage,
} from "./reply.ts";

const words = [
  "done",
  "tool",
  "budget",
  "policy",
  "declined",
  "paused",
  "full",
  "failed",
  "sequence",
  "running",
  "invented",
  "",
  "null",
];
const endings: fc.Arbitrary<Native> = fc
  .tuple(fc.constantFrom(...words), fc.constantFrom(undefined, true, false))
  .map(([word, provisional]) => stop(word, provisional));
const key = fc.constantFrom(0, 1, "0", "function_call");
export const ids: fc.Arbitrary<string | undefined> = fc.constantFrom(
  undefined,
  "",
  "a",
  "b",
  "call_0_0",
  "call_1_0",
);
const written = fc.constantFrom("", "{", "}", "{}", '{"a":', "1", '"x"', "[", "__proto__");
const prose: fc.Arbitrary<Native> = fc.constantFrom(
  text("Hi. "),
  text(""),
  thinking("Hm."),
  native({ n: 1 }),
);
const content: fc.Arbitrary<Native> = fc.oneof(
  fc.constantFrom("", "Hi. ", "{").map(text),
  fc.constantFrom("", "Hm. ").map(thinking),
  fc.constantFrom("S", null).map((data) => providerData(data)),
  fc.constantFrom({}, { opens: "s" }, { closes: "s" }).map((pair) => native({ n: 1 }, pair)),
  fc.tuple(key, ids, ids).map(([at, name, native]) => start(at, name, native)),
  fc.tuple(key, written).map(([at, some]) => delta(at, some)),
  key.map((at) => end(at)),
);
const news: fc.Arbitrary<Native> = fc.oneof(
  fc
    .tuple(fc.nat(20), fc.constantFrom(undefined, null, 3, 30))
    .map(([output, counted]) => usage(output, counted)),
  fc.constantFrom<Native>(
    { type: "meta", id: "r" },
    { type: "error", native: "busy", message: "" },
  ),
);
/** An input that is whole, as a host sends it most of the time. */
const calls: fc.Arbitrary<Native> = fc
  .tuple(key, fc.constantFrom("read", "write"), ids, fc.constantFrom("", "{}", '{"a":1}'))
  .map(([at, name, native, some]) => [start(at, name, native), delta(at, some), end(at)]);
const goodEndings: fc.Arbitrary<Native> = fc
  .tuple(fc.constantFrom("done", "tool"), fc.constantFrom(undefined, true, false))
  .map(([word, provisional]) => stop(word, provisional));
/** Replies of events in any order, and replies that are whole or nearly so. */
export const randomReplies: fc.Arbitrary<readonly Native[]> = fc.oneof(
  fc.array(
    fc.oneof(
      { arbitrary: content, weight: 8 },
      { arbitrary: endings, weight: 2 },
      { arbitrary: news, weight: 1 },
    ),
    {
      maxLength: 14,
    },
  ),
  fc.array(
    fc.oneof(
      { arbitrary: calls, weight: 4 },
      { arbitrary: goodEndings, weight: 3 },
      { arbitrary: news, weight: 1 },
    ),
    {
      maxLength: 8,
    },
  ),
  fc
    .tuple(
      fc.array(fc.oneof(calls, prose), { maxLength: 4 }),
      fc.array(fc.oneof(goodEndings, news, prose), { maxLength: 3 }),
      goodEndings,
    )
    .map(([begun, more, ending]) => [...begun, ...more, ending]),
);
export const settings: fc.Arbitrary<Setting> = fc.record({
  maxTokens: fc.constantFrom(undefined, 10),
  adapter: fc.record({
    toolInputEnd: fc.constantFrom("explicit" as const, "implicit" as const),
    mislabelsTruncation: fc.constantFrom(false, false, true),
  }),
  thrown: fc.constantFrom(undefined, undefined, new TypeError("terminated")),
});
