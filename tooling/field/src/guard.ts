import { join } from "node:path";
import type { GatewayOptions } from "@fullstop/conformance-cli";
import { root } from "@tooling/publish/process";

/**
 * The gateway of this repository, from its sources, as its users start it. Its one upstream has
 * every protocol, and in each the stop reasons of the vendor.
 */
export const standardGateway: GatewayOptions = {
  command: `node --conditions=@fullstop/source ${join(root, "apps/cli/src/main.ts")} gateway --port {port} --to openai={upstream}`,
  path: "/openai",
};

/** The same. It asks no model again, so that only requests of the measured programs count. */
export const guardGateway: GatewayOptions = {
  command: `${standardGateway.command} --no-reask`,
  path: standardGateway.path,
};
