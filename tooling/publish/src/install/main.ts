import { parseArgs } from "node:util";
import { readCommandLine } from "@tooling/test/options";
import { runCommand } from "../command.ts";
import { packAll, tryingPackages, tryPackages } from "./consumer.ts";
import { step } from "./process.ts";

const installHelp = `Packs each package for publication, installs the tarballs with npm outside the repository, and uses them there:
the README's first example in an empty folder, a strict type check and one turn of an agent with each adapter,
and the command on the oldest Node that it accepts.

  pnpm check:install

Exit codes: 0 success; 1 failure; 2 an invalid option.
`;

readCommandLine(installHelp, () =>
  parseArgs({ options: { help: { type: "boolean", short: "h" } } }),
);
await runCommand(async () => {
  const source = await step("packing", packAll);
  return `Installed from tarballs: ${await step(tryingPackages, () => tryPackages(source))}`;
});
