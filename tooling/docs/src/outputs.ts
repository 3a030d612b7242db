import { join } from "node:path";
import type { Adapter } from "@fullstop/core";
import { root } from "./blocks.ts";
import { textTable } from "./markdown.ts";

type Create = (...given: readonly unknown[]) => Adapter;

/** The exports of a provider's package. */
const importProvider = async (provider: string): Promise<Readonly<Record<string, unknown>>> =>
  import(join(root, `packages/provider-${provider}/src/index.ts`));

async function formatOf(
  provider: string,
  name: string,
  ...given: readonly unknown[]
): Promise<Adapter["outputFormat"]> {
  return ((await importProvider(provider))[name] as Create)(...given).outputFormat;
}

const meanings: Readonly<Record<NonNullable<Adapter["outputFormat"]> | "none", string>> = {
  always: "also with tools",
  "without-tools": "without tools; with tools, the tool `final_output`",
  none: "the tool `final_output`",
};
const meaningOf = (format: Adapter["outputFormat"]): string => meanings[format ?? "none"];

/** The adapters by model, with the field of each protocol. The formats are those of the adapters. */
const adapters: readonly (readonly [label: string, field: string, ReturnType<typeof formatOf>])[] =
  [
    [
      "`anthropic`, Claude 4.5 and later",
      "`output_config.format`",
      formatOf("anthropic", "anthropic", "claude-opus-4-5"),
    ],
    [
      "`anthropic`, earlier and other models",
      "",
      formatOf("anthropic", "anthropic", "claude-opus-4-1"),
    ],
    ["`openai`, GPT-4o and later", "`text.format`", formatOf("openai", "openai", "gpt-4o")],
    [
      "`openaiChat`, GPT-4o and later",
      "`response_format`",
      formatOf("openai", "openaiChat", "gpt-4o"),
    ],
    ["both, earlier models", "", formatOf("openai", "openaiChat", "gpt-4-turbo")],
    [
      "`google`, Gemini 3 and later",
      "`responseJsonSchema`",
      formatOf("google", "google", "gemini-3.1-pro"),
    ],
    [
      "`google`, Gemini 2.5",
      "`responseJsonSchema`",
      formatOf("google", "google", "gemini-2.5-flash"),
    ],
    ["`google`, earlier and other models", "", formatOf("google", "google", "gemini-2.0-flash")],
    ["`mistral`", "`response_format`", formatOf("mistral", "mistral", "mistral-large-latest")],
    [
      "`copilot`",
      "",
      formatOf("copilot", "copilot", "gpt-5.5", { token: async () => ({ token: "" }) }),
    ],
    ["`mock`", "", formatOf("mock", "mock", [])],
  ];

/** The dialects in groups: how each asks for an object. */
async function dialectRows(): Promise<readonly (readonly [names: string, format: string])[]> {
  const { dialects } = await importProvider("openai-compatible");
  const rows = Object.entries(dialects as Readonly<Record<string, Pick<Adapter, "outputFormat">>>);
  return [...new Set(rows.map(([, { outputFormat }]) => outputFormat))]
    .toSorted((one, other) => meaningOf(one).localeCompare(meaningOf(other)))
    .map((format) => [
      rows
        .filter(([, { outputFormat }]) => outputFormat === format)
        .map(([name]) => `\`${name}\``)
        .toSorted()
        .join(", "),
      meaningOf(format),
    ]);
}

/** How each adapter asks for an object. */
export async function outputTable(): Promise<string> {
  const rows = await Promise.all(
    adapters.map(async ([label, field, format]) => [label, field, meaningOf(await format)]),
  );
  const hosts = (await dialectRows()).map(([names, format]) => [
    `\`openaiCompatible\`: ${names}`,
    format === meanings.none ? "" : "`response_format`",
    format,
  ]);
  return textTable(["adapter", "format", "when"], [...rows, ...hosts]);
}

/** How each dialect asks for an object. */
export const dialectOutputTable = async (): Promise<string> =>
  textTable(["dialects", "`response_format` with a schema"], await dialectRows());
