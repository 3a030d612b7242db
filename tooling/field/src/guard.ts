import { join } from "node:path";
import type { GatewayOptions } from "@fullstop/conformance-cli";
import { root } from "@tooling/publish/process";

/**
 * The gateway of this repository, from its sources. Its one upstream has every protocol, and in each
 * the stop reasons of the vendor.
 */
export const guardGateway: GatewayOptions = {
  command: `node --conditions=@fullstop/source ${join(root, "apps/cli/src/main.ts")} gateway --port {port} --to openai={upstream}`,
  path: "/openai",
};
