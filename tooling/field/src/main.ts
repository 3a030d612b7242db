import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { ReportedSubject } from "@fullstop/conformance";
import {
  comparison,
  type Field,
  fieldFile,
  fieldPage,
  fieldText,
  readField,
} from "@tooling/docs/field";
import { filled } from "@tooling/docs/generated";
import { root, scratch } from "@tooling/install/process";
import { examples, updateVersions } from "./install.ts";
import { measureSystem } from "./measure.ts";
import { differences, mergeResults } from "./results.ts";
import { type System, systems } from "./systems.ts";

const names = systems.map(({ name }) => name);
const help = `Runs the agent clauses of the suite against current releases of other systems, and writes the results to
FIELD.md, FIELD.html, ${fieldFile}, and the comparison in README.md.

  pnpm field [--only NAME...] [--update]

  --only     ${names.join(", ")};
             all by default. The results of the others are kept.
  --update   first writes the newest versions into the package.json of the drivers, if npm can install them

The first run downloads about 500 MB from npm into node_modules/.cache/field. A whole run takes about seven minutes on two cores.
A system that cannot be installed or started is reported as "not run", with the reason. The command prints which verdicts changed.
Exit codes: 0 measured, with any verdicts; 1 the measurement or the writing failed. Ctrl-C ends all started programs and writes nothing.
`;

interface FieldCommand {
  readonly asked: readonly System[];
  readonly update: boolean;
}

/** Parses the command line. Returns `undefined` for `--help`. */
function parseCommand(): FieldCommand | undefined {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: "string", multiple: true },
      update: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  if (values.only === undefined && positionals.length > 0)
    throw new Error(
      `Unexpected arguments: did you mean --only ${positionals.join(" ")}? See --help.`,
    );
  const chosen = values.only === undefined ? names : [...values.only, ...positionals];
  const strange = chosen.filter((name) => !names.includes(name));
  if (strange.length > 0)
    throw new Error(`Unknown system: ${strange.join(", ")}. Expected ${names.join(", ")}.`);
  return { asked: systems.filter(({ name }) => chosen.includes(name)), update: values.update };
}

/** Prints the result of each configuration and its time. */
function createProgress(): (subject: ReportedSubject) => void {
  let began = performance.now();
  return ({ name, findings }) => {
    const all = Object.values(findings);
    const count = (status: string): number => all.filter((found) => found.status === status).length;
    const reason = all.find(({ status }) => status === "not-run")?.reason;
    const told =
      reason === undefined
        ? `${count("kept")} kept, ${count("broken")} broken`
        : `not run: ${reason}`;
    process.stderr.write(
      `${name}: ${told}, ${((performance.now() - began) / 1000).toFixed(1)} s\n`,
    );
    began = performance.now();
  };
}

async function main({ asked, update }: FieldCommand): Promise<void> {
  // The folders of the programs are deleted too when this process ends.
  process.env["TMPDIR"] = scratch("field");
  if (update)
    for (const { name } of asked)
      process.stderr.write(`${await updateVersions(join(examples, name), name)}\n`);
  const onSubject = createProgress();
  const anew = [];
  for (const system of asked) anew.push(await measureSystem(system, { onSubject }));
  const before = existsSync(join(root, fieldFile)) ? readField() : undefined;
  const { version } = JSON.parse(
    readFileSync(join(root, "packages/conformance/package.json"), "utf8"),
  ) as { readonly version: string };
  write(mergeResults(before, anew, version));
  const changes = differences(before, anew);
  process.stdout.write(changes.length === 0 ? "No verdict changed.\n" : `${changes.join("\n")}\n`);
}

function write(field: Field): void {
  const put = (file: string, text: string): void => writeFileSync(join(root, file), text);
  put(fieldFile, `${JSON.stringify(field, null, 1)}\n`);
  put("FIELD.md", fieldText(field));
  put("FIELD.html", fieldPage(field));
  put(
    "README.md",
    filled(readFileSync(join(root, "README.md"), "utf8"), "field", comparison(field)),
  );
}

try {
  const work = parseCommand();
  if (work === undefined) process.stdout.write(help);
  else await main(work);
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = 1;
}
