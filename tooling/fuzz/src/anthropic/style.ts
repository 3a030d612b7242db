import fc from "fast-check";
import { type Drawn, oneOf, rarely } from "../chances.ts";
import { pieceSizes } from "../intent.ts";

/** Variations between hosts of the protocol. */
export const anthropicStyles = fc.record({
  host: oneOf("anthropic", "anthropic", "anthropic", "without-stop"),
  whole: rarely,
  sizes: pieceSizes,
  /** The block start contains the complete input. */
  inputInStart: rarely,
  blankFirst: fc.boolean(),
  /** The `input` of a block start whose input follows. */
  emptyInput: oneOf("object", "object", "text", "absent"),
  pings: fc.boolean(),
  unknownEvents: rarely,
  startTwice: rarely,
  doneAfterEnd: rarely,
  /** A stop sequence beside the stop reason. */
  sequence: rarely,
  /** Deltas without a text, and empty deltas of another type. */
  blanks: oneOf("none", "none", "none", "none", "null", "foreign"),
  /** The word for a cut under the name of another protocol, or nothing there. */
  finishReason: oneOf("absent", "absent", "absent", "absent", "absent", "null", "length"),
});
export type AnthropicStyle = Drawn<typeof anthropicStyles>;
