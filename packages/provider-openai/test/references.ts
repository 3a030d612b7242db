import type { FileBlock, ImageBlock } from "@fullstop/core";
import fc from "fast-check";

/** Media that OpenAI loads itself. */
export const references: fc.Arbitrary<ImageBlock | FileBlock> = fc.constantFrom<
  ImageBlock | FileBlock
>(
  { type: "image", url: "https://files.example/a.png" },
  { type: "file", fileId: "file_1", provider: "openai" },
);
