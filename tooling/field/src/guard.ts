import { join } from "node:path";
import type { GatewayOptions } from "@fullstop/conformance-cli";
import { root } from "@tooling/install/process";

/** The gateway of this repository, from its sources, with one upstream that has every protocol. */
export const guardGateway: GatewayOptions = {
  command: `node --conditions=@fullstop/source ${join(root, "apps/gateway/src/main.ts")} --port {port} --to model={upstream}`,
  path: "/model",
};
