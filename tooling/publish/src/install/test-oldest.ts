import { join } from "node:path";
import { parseArgs } from "node:util";
import { readCommandLine } from "@tooling/test/options";
import { runCommand } from "../command.ts";
import { oldestNode } from "./oldest.ts";
import { root, runProgram } from "./process.ts";

/** What depends most on Node: servers, streams and files. */
const dependent = [
  "apps/gateway",
  "packages/journal-file",
  "packages/mcp",
  "packages/otel",
  "packages/ui",
];

/** For programs that a test starts. */
const readsTypes = "--experimental-strip-types --disable-warning=ExperimentalWarning";

const oldestHelp = `Runs tests on the oldest Node that the command accepts. All other tests run on the newest.
Without files: ${dependent.join(", ")}.

  pnpm test:oldest [files]

Node 22.12 does not have all that tests use: zstd, \`registerHooks\` and \`DisposableStack\`, for example.
The first run downloads Node from npm into node_modules/.cache. Exit codes: 0 success; 1 failure; 2 an invalid option.
`;

const { positionals } = readCommandLine(oldestHelp, () =>
  parseArgs({ options: { help: { type: "boolean", short: "h" } }, allowPositionals: true }),
);
await runCommand(async () => {
  const files = positionals.length > 0 ? positionals : dependent;
  const program = join(root, "node_modules/vitest/vitest.mjs");
  const config = join(root, "tooling/test/oldest.vitest.config.ts");
  return runProgram(["node", program, "run", "--config", config, "--root", root, ...files], {
    cwd: root,
    env: { ...(await oldestNode()), NODE_OPTIONS: readsTypes },
  });
});
