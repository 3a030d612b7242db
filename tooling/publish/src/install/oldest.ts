import { delimiter, join } from "node:path";
import { manifestOf } from "./manifest.ts";
import { root } from "./process.ts";
import { installTool } from "./tool.ts";

/** The variables for programs that run on the oldest Node that the command accepts. */
export async function oldestNode(): Promise<Readonly<Record<string, string>>> {
  const oldest = manifestOf(join(root, "apps/cli")).engines?.node.replace(">=", "");
  const folder = await installTool({ name: "node", version: `${oldest}.0` });
  return { PATH: [join(folder, "node_modules/.bin"), process.env["PATH"]].join(delimiter) };
}
