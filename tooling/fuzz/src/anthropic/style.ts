import fc from "fast-check";
import { rarely } from "../chances.ts";
import { pieceSizes } from "../intent.ts";

/** Variations between hosts of the protocol. */
export interface AnthropicStyle {
  readonly host: "anthropic" | "without-stop";
  readonly whole: boolean;
  readonly sizes: readonly number[];
  /** The block start contains the complete input. */
  readonly inputInStart: boolean;
  readonly blankFirst: boolean;
  /** The `input` of a block start whose input follows. */
  readonly emptyInput: "object" | "text" | "absent";
  readonly pings: boolean;
  readonly unknownEvents: boolean;
  readonly startTwice: boolean;
  readonly doneAfterEnd: boolean;
  /** A stop sequence beside the stop reason. */
  readonly sequence: boolean;
}

export const anthropicStyles: fc.Arbitrary<AnthropicStyle> = fc.record({
  host: fc.constantFrom("anthropic", "anthropic", "anthropic", "without-stop"),
  whole: rarely,
  sizes: pieceSizes,
  inputInStart: rarely,
  blankFirst: fc.boolean(),
  emptyInput: fc.constantFrom("object", "object", "text", "absent"),
  pings: fc.boolean(),
  unknownEvents: rarely,
  startTwice: rarely,
  doneAfterEnd: rarely,
  sequence: rarely,
});
