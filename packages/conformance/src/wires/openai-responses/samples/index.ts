import type { Fixture } from "../../../wire.ts";
import { endingSamples } from "./endings.ts";
import { hostedSamples } from "./hosted.ts";
import { identitySamples } from "./identity.ts";
import { inputSamples } from "./inputs.ts";
import { reasoningSamples } from "./reasoning.ts";
import { sayingSamples } from "./saying.ts";
import { serverSamples } from "./server.ts";

/** Replies of OpenAI Responses that other protocols do not have. */
export const samples: readonly Fixture[] = [
  ...reasoningSamples,
  ...inputSamples,
  ...serverSamples,
  ...hostedSamples,
  ...identitySamples,
  ...sayingSamples,
  ...endingSamples,
];
