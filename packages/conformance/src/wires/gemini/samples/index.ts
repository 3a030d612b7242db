import type { Fixture } from "../../../wire.ts";
import { endingSamples } from "./endings.ts";
import { inputSamples } from "./inputs.ts";
import { serverSamples } from "./server.ts";
import { signatureSamples } from "./signatures.ts";

/** Replies of Gemini's that other protocols do not have. */
export const samples: readonly Fixture[] = [
  ...signatureSamples,
  ...inputSamples,
  ...endingSamples,
  ...serverSamples,
];
