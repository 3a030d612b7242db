import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Created, create, type Wanted } from "./create.ts";
import { type Framing, framings } from "./framings.ts";

const help = `pnpm new-provider <name> [--framing sse|ndjson|aws]

Creates packages/provider-<name>: a complete adapter for a small invented protocol, its wire, its
conformance test and a README, all with the given name. It passes the whole suite; replace the
invented protocol file by file, and the suite shows the progress. Adds a changeset, and installs.

  <name>        the name of the provider: small letters, digits and "-", for example "acme" or "north-star"
  --framing     how the events of the API come: "sse" (server-sent events, the default), "ndjson" (lines of JSON) or "aws" (the AWS event stream)
  --no-install  does not install; the next pnpm command does
  --help        prints this text

Exit codes: 0 created; 1 failed; 2 the name or an option is refused. A failure removes all created files.
`;

/** The next steps, in the recommended order. */
const steps = ({ names: { kebab, camel }, folder, changeset }: Created): string => `
${folder} is a provider that passes the suite. Next steps:

  1. test/{wire,refusals}.ts      the server side of the protocol: replies, native stop reasons, errors and refusals
  2. src/stops.ts, src/errors.ts  native stop reasons and error codes; with a vendor's SDK, typed by the SDK
  3. src/decode.ts                the events of the API
  4. src/encode.ts                the request of the API
  5. src/index.ts                 ${camel}(): the address and the transport, with fetch or the vendor's SDK
  6. README.md, ${changeset}, and a row in tests/handoff/test/speakers.ts
  7. pnpm generate && pnpm test packages/provider-${kebab} tests/handoff && pnpm check

CONTRIBUTING.md, section "A provider", explains each step.
`;

const fail = (sentence: string, code: 1 | 2): never => {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
};

interface Command extends Wanted {
  readonly install: boolean;
}

/** @throws Error if there is no such framing. */
function framingOf(text: string): Framing {
  const framing = framings.find((one) => one === text);
  if (framing === undefined)
    throw new Error(`--framing is one of ${framings.join(", ")}, and not "${text}".`);
  return framing;
}

/** Parses the command line. Prints the help and exits for `--help`. */
function parseCommand(): Command {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h" },
        framing: { type: "string", default: "sse" },
        "no-install": { type: "boolean", default: false },
      },
    });
    if (values.help) {
      process.stdout.write(help);
      process.exit(0);
    }
    const framing = framingOf(values.framing);
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) return fail(`Expected one name.\n\n${help}`, 2);
    return { name, framing, install: !values["no-install"] };
  } catch (wrong) {
    return fail(`${wrong instanceof Error ? wrong.message : wrong}\n\n${help}`, 2);
  }
}

/** The pnpm that runs this script, or the version in CONTRIBUTING. */
const pnpm = (): readonly [string, ...string[]] => {
  const { npm_execpath: path = "" } = process.env;
  return /pnpm[^/\\]*$/.test(path) ? [path] : ["npx", "-y", "pnpm@12"];
};

/** Returns whether the install succeeded. It fails if a signal ends it. */
async function install(): Promise<boolean> {
  const [command, ...args] = pnpm();
  const child = spawn(command, [...args, "install"], { stdio: "inherit" });
  stop = () => child.kill();
  const [code] = await once(child, "exit").catch(() => [1]);
  return code === 0;
}

const { name, framing, install: wanted } = parseCommand();
/** A signal ends only the install, so that the command can remove all created files. */
let stop = (): boolean => false;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop());
if (!existsSync("pnpm-workspace.yaml"))
  fail("Run this command in the root of the repository: pnpm-workspace.yaml is missing.", 1);
const created = create(".", { name, framing });
if (typeof created === "string") fail(created, 2);
else if (wanted && !(await install())) {
  created.undo();
  fail(`The install failed, so ${created.folder} and ${created.changeset} were removed.`, 1);
} else process.stdout.write(steps(created));
