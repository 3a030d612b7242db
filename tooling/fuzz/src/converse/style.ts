import fc from "fast-check";
import { type Drawn, oneOf, rarely } from "../chances.ts";
import { pieceSizes } from "../intent.ts";

/** Variations between models and hosts of the protocol. */
export const converseStyles = fc.record({
  host: oneOf("bedrock", "bedrock", "bedrock", "without-metadata"),
  whole: rarely,
  sizes: pieceSizes,
  blankFirst: fc.boolean(),
  /** Amazon fills events with a text of any length, so that their lengths say nothing. */
  padding: fc.boolean(),
  unknownEvents: rarely,
  /** The blocks of calls end after all blocks have begun, in this order. */
  stops: oneOf("each", "each", "each", "late", "late, reversed"),
  /** No block of text has an end. */
  openTexts: rarely,
  metadataFirst: rarely,
  redacted: rarely,
});
export type ConverseStyle = Drawn<typeof converseStyles>;
