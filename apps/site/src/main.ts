import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readCommandLine } from "@tooling/test/options";
import { build, createServer } from "vitepress";
import { collect } from "./collect.ts";
import { relocate } from "./relocate.ts";

const help = `Shows the documentation site, or writes it.

  pnpm site [--port NUMBER]
  pnpm site build [--repository OWNER/NAME]

  --port        of the loopback interface; by default 5173
  --repository  on GitHub, for links to sources; by default that of GITHUB_REPOSITORY. If it is not
                known, such links are words

build writes apps/site/dist/site. It works under any path of a host, and needs a host: a browser loads no modules from files.
Exit codes: 0 success; 1 failure; 2 an invalid option.
`;

const folder = fileURLToPath(new URL("..", import.meta.url));
const siteFolder = fileURLToPath(new URL("../dist/site", import.meta.url));

/** @throws Error if an option or a word is unknown. */
function parseOptions() {
  const asked = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h" },
      port: { type: "string", default: "5173" },
      repository: { type: "string", default: process.env["GITHUB_REPOSITORY"] ?? "" },
    },
  });
  const unknown = asked.positionals.find((word, index) => index > 0 || word !== "build");
  if (unknown !== undefined) throw new Error(`Unknown word "${unknown}".`);
  return asked;
}

async function main(): Promise<void> {
  const { values, positionals } = readCommandLine(help, parseOptions);
  const { repository } = values;
  await collect(repository === "" ? undefined : `https://github.com/${repository}`);
  if (positionals[0] === "build") {
    await build(folder);
    relocate(siteFolder);
    return;
  }
  const server = await createServer(folder, { port: Number(values.port) });
  await server.listen();
  server.printUrls();
}

await main();
