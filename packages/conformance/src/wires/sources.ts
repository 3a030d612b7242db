import { type Protocol, pageOf } from "../pages.ts";
import { documented, made, type ReplySource, type ReplySources, seen } from "../sources.ts";

/** What differs between the protocols. */
interface OwnSources {
  /** A stream that ends or breaks before its stop reason. */
  readonly cut: ReplySource;
  /** An error inside the stream, after a part of the reply. */
  readonly errorInStream: ReplySource;
  /** A reply that reached the cap, under the stop reason of a finished one. */
  readonly usedUp: ReplySource;
  /** A stop reason that the vendor does not list. */
  readonly unknownStop: ReplySource;
  /** A stop reason without a word. */
  readonly emptyStop: ReplySource;
  /** The native stop reason of the cap. */
  readonly lengthStop: string;
  /** A call under it. */
  readonly length: ReplySource;
  /** The same, of which only the name came. */
  readonly nameOnly: ReplySource;
  /** A second reply in the same body. */
  readonly secondReply: ReplySource;
  /** A cut input in a finished reply. Absent if the protocol sends inputs as JSON. */
  readonly cutInput?: ReplySource;
  /** An input that is not JSON, although nothing was cut. */
  readonly invalidInput?: ReplySource;
  /** Further replies, by the ids of their scripts. */
  readonly others: ReplySources;
}

/** The sources of the replies of inputs that are text. */
const inputSources = (
  wire: Protocol,
  { cutInput, invalidInput }: Pick<OwnSources, "cutInput" | "invalidInput">,
): ReplySources => ({
  ...(cutInput && {
    "three-quarters": cutInput,
    "last-brace-lost": cutInput,
    "cut-last": cutInput,
    "cut-first": made(pageOf("inputs", wire)),
  }),
  ...(invalidInput && { "trailing-comma": invalidInput, "second-brace": invalidInput }),
});

/** The sources of the replies that a wire sends to loops and agents. Each is about this protocol. */
export const replySources = (wire: Protocol, own: OwnSources): ReplySources => {
  const sources = sourcesOf(wire, own);
  return Object.fromEntries(
    Object.entries(sources).map(([id, { evidence, references }]) => [
      id,
      { evidence, references: references.map((one) => ({ ...one, wire })) },
    ]),
  );
};

const sourcesOf = (wire: Protocol, own: OwnSources): ReplySources => ({
  "one-call": documented(pageOf("calls", wire)),
  "two-calls": documented(pageOf("calls", wire)),
  "until-native-result": documented(pageOf("calls", wire)),
  "cut-in-the-middle": own.cut,
  "cut-before-end": own.cut,
  "cut-last-byte": own.cut,
  reset: own.cut,
  "call-repeated": own.cut,
  "call-replaced": own.cut,
  "torn-event": made(pageOf("stream", wire), {
    "BerriAI/litellm#32686": "pieces of replies were lost on the way",
  }),
  "error-instead-of-end": own.errorInStream,
  "error-before-end": made(pageOf("errorInStream", wire)),
  "used-up-cap": own.usedUp,
  "unknown-stop": own.unknownStop,
  "empty-stop": own.emptyStop,
  "endless-cuts": own.length,
  [own.lengthStop]: own.length,
  ...(own.cutInput && { [`${own.lengthStop}-cut-input`]: own.length }),
  [`${own.lengthStop}-sibling-missing`]: own.length,
  [`${own.lengthStop}-name-only`]: own.nameOnly,
  "second-reply": own.secondReply,
  "second-reply-same-call": own.secondReply,
  "second-reply-other-call": own.secondReply,
  "endless-calls": seen({
    "Kilo-Org/kilocode#13772": "3,673 steps in one session",
    "openclaw/openclaw#17118": "the same call 1,535 times",
  }),
  "500-twice": documented(pageOf("errors", wire)),
  ...inputSources(wire, own),
  ...own.others,
});

export const pageInside = (wire: Protocol): ReplySource => made(pageOf("stream", wire));
