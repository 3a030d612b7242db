import type { Fixture } from "../../../wire.ts";
import { endingSamples } from "./endings.ts";
import { inputSamples } from "./inputs.ts";
import { tellingSamples } from "./telling.ts";

/** Replies of Chat Completions, by OpenAI and by hosts of the protocol, that other protocols do not have. */
export const samples: readonly Fixture[] = [...endingSamples, ...inputSamples, ...tellingSamples];
