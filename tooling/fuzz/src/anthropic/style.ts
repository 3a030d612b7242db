import fc from "fast-check";
import { rarely } from "../chances.ts";
import { pieceSizes } from "../intent.ts";

/** What hosts of the protocol do in their own way. */
export interface AnthropicStyle {
  readonly host: "anthropic" | "without-stop";
  readonly whole: boolean;
  readonly sizes: readonly number[];
  /** The whole input comes with its block. */
  readonly inputInStart: boolean;
  readonly blankFirst: boolean;
  /** What stands for an input that is still to come. */
  readonly emptyInput: "object" | "text" | "absent";
  readonly pings: boolean;
  readonly unknownEvents: boolean;
  readonly startTwice: boolean;
  readonly doneAfterEnd: boolean;
  /** A stop sequence beside the word. */
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
