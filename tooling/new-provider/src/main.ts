import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Created, create } from "./create.ts";

const help = `pnpm new-provider <name>

Makes packages/provider-<name>: a complete adapter for a small invented protocol, its wire, its
conformance test and a README, all of it under the name you give. It passes the whole suite as it is;
you turn it into yours file by file, and the suite says how far you are. Adds a changeset, and installs.

  <name>        the provider's: small letters, digits and "-", like "acme" or "north-star"
  --no-install  leaves the install to the next pnpm command
  --help        this text

Ends with 0 when the folder is there, 1 when something failed, 2 for a name that cannot be taken.
Whatever fails, nothing is left behind.
`;

/** What is left to do, in the order in which it is best done. */
const steps = ({ names: { kebab, camel }, folder, changeset }: Created): string => `
${folder} is a provider that passes the suite. Now make it yours:

  1. test/wire.ts, test/rules.ts  the protocol from the server's side: its replies, words, errors and rules
  2. src/stops.ts, src/errors.ts  its words and codes; with a vendor's SDK, typed by the SDK
  3. src/decode.ts                its events, told as they are
  4. src/encode.ts                a request in its shape
  5. src/index.ts                 ${camel}(): where it is and how to get there, over fetch or the vendor's SDK
  6. README.md, ${changeset}
  7. pnpm generate && pnpm test packages/provider-${kebab} && pnpm check

CONTRIBUTING.md, "A provider", says more of each.
`;

const fail = (sentence: string, code: 1 | 2): never => {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
};

interface Command {
  readonly name: string;
  readonly install: boolean;
}

/** What the command line says; asked for help, it helps and ends. */
function parseCommand(): Command {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h" },
        "no-install": { type: "boolean", default: false },
      },
    });
    if (values.help) {
      process.stdout.write(help);
      process.exit(0);
    }
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) return fail(`One name, please.\n\n${help}`, 2);
    return { name, install: !values["no-install"] };
  } catch (wrong) {
    return fail(`${wrong instanceof Error ? wrong.message : wrong}\n\n${help}`, 2);
  }
}

/** The pnpm that runs this script, or the one that CONTRIBUTING names. */
const pnpm = (): readonly [string, ...string[]] => {
  const { npm_execpath: path = "" } = process.env;
  return /pnpm[^/\\]*$/.test(path) ? [path] : ["npx", "-y", "pnpm@12"];
};

/** Whether the install went well; ended by a signal, it did not. */
async function install(): Promise<boolean> {
  const [command, ...args] = pnpm();
  const child = spawn(command, [...args, "install"], { stdio: "inherit" });
  stop = () => child.kill();
  const [code] = await once(child, "exit").catch(() => [1]);
  return code === 0;
}

const { name, install: wanted } = parseCommand();
/** A signal waits until the files are written, and then ends the install, so that everything can be undone. */
let stop = (): boolean => false;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop());
if (!existsSync("pnpm-workspace.yaml"))
  fail("This is not the root of the repository: there is no pnpm-workspace.yaml.", 1);
const created = create(".", name);
if (typeof created === "string") fail(created, 2);
else if (wanted && !(await install())) {
  created.undo();
  fail(`The install failed, so ${created.folder} and ${created.changeset} are gone again.`, 1);
} else process.stdout.write(steps(created));
