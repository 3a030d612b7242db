import type { Sample } from "../../../wire.ts";
import { blockSamples } from "./blocks.ts";
import { endingSamples } from "./endings.ts";
import { inputSamples } from "./inputs.ts";
import { serverSamples } from "./server.ts";
import { thinkingSamples } from "./thinking.ts";

/** Replies of Anthropic's that other protocols do not have. */
export const samples: readonly Sample[] = [
  ...thinkingSamples,
  ...serverSamples,
  ...endingSamples,
  ...inputSamples,
  ...blockSamples,
];
