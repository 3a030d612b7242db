import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
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
`;

const folder = fileURLToPath(new URL("..", import.meta.url));
const siteFolder = fileURLToPath(new URL("../dist/site", import.meta.url));

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: "boolean" },
      port: { type: "string", default: "5173" },
      repository: { type: "string", default: process.env["GITHUB_REPOSITORY"] ?? "" },
    },
  });
  const [command, ...more] = positionals;
  const isKnown = command === undefined || command === "build";
  if (values.help || !isKnown || more.length > 0) {
    (values.help ? process.stdout : process.stderr).write(help);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const { repository } = values;
  await collect(repository === "" ? undefined : `https://github.com/${repository}`);
  if (command === "build") {
    await build(folder);
    relocate(siteFolder);
    return;
  }
  const server = await createServer(folder, { port: Number(values.port) });
  await server.listen();
  server.printUrls();
}

await main();
