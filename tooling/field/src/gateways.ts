import { claudeCodeRouter } from "./gateways/claude-code-router.ts";
import type { FieldGateway } from "./gateways/gateway.ts";
import { litellm } from "./gateways/litellm.ts";
import { llmRosetta } from "./gateways/llm-rosetta.ts";
import { own } from "./gateways/own.ts";
import { portkey } from "./gateways/portkey.ts";

/** The gateways, in the order of the report. */
export const gateways: readonly FieldGateway[] = [
  litellm,
  portkey,
  claudeCodeRouter,
  llmRosetta,
  own,
];
