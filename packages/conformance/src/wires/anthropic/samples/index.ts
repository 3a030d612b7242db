import type { Fixture } from "../../../wire.ts";
import { blockSamples } from "./blocks.ts";
import { endingSamples } from "./endings.ts";
import { inputSamples } from "./inputs.ts";
import { serverSamples } from "./server.ts";
import { thinkingSamples } from "./thinking.ts";

/** Replies of Anthropic's that other protocols do not have. */
export const samples: readonly Fixture[] = [
  ...thinkingSamples,
  ...serverSamples,
  ...endingSamples,
  ...inputSamples,
  ...blockSamples,
];
