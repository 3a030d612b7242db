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
});
export type AnthropicStyle = Drawn<typeof anthropicStyles>;
