import fc from "fast-check";
import { rarely } from "../chances.ts";
import { pieceSizes } from "../intent.ts";

/** Variations between models and hosts of the protocol. */
export interface ConverseStyle {
  readonly host: "bedrock" | "without-metadata";
  readonly whole: boolean;
  readonly sizes: readonly number[];
  readonly blankFirst: boolean;
  /** Amazon fills events with a text of any length, so that their lengths say nothing. */
  readonly padding: boolean;
  readonly unknownEvents: boolean;
  /** The blocks of calls end after all blocks have begun, in this order. */
  readonly stops: "each" | "late" | "late, reversed";
  /** No block of text has an end. */
  readonly openTexts: boolean;
  readonly metadataFirst: boolean;
  readonly redacted: boolean;
}

export const converseStyles: fc.Arbitrary<ConverseStyle> = fc.record({
  host: fc.constantFrom("bedrock", "bedrock", "bedrock", "without-metadata"),
  whole: rarely,
  sizes: pieceSizes,
  blankFirst: fc.boolean(),
  padding: fc.boolean(),
  unknownEvents: rarely,
  stops: fc.constantFrom("each", "each", "each", "late", "late, reversed"),
  openTexts: rarely,
  metadataFirst: rarely,
  redacted: rarely,
});
