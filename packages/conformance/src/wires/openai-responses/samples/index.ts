import type { Sample } from "../../../wire.ts";
import { endingSamples } from "./endings.ts";
import { inputSamples } from "./inputs.ts";
import { reasoningSamples } from "./reasoning.ts";
import { serverSamples } from "./server.ts";

/** Replies of OpenAI Responses that other protocols do not have. */
export const samples: readonly Sample[] = [...reasoningSamples, ...inputSamples, ...serverSamples, ...endingSamples];
