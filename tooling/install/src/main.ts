import { parseArgs } from "node:util";
import { packAll, tryingPackages, tryPackages } from "./consumer.ts";
import { step } from "./process.ts";

const help = `Packs each package for publication, installs the tarballs with npm outside the repository, and uses them there:
the README's first example in an empty folder, then a strict type check and one turn of an agent with each adapter.

  pnpm check:install

Exit codes: 0 success; 1 failure.
`;

const { values } = parseArgs({ options: { help: { type: "boolean", short: "h" } } });
if (values.help) process.stdout.write(help);
else
  await main().catch((thrown: unknown) => {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exitCode = 1;
  });

async function main(): Promise<void> {
  const source = await step("packing", packAll);
  process.stdout.write(
    `Installed from tarballs: ${await step(tryingPackages, () => tryPackages(source))}\n`,
  );
}
