import { join } from "node:path";
import type { Adapter } from "@fullstop/core";
import { root } from "./blocks.ts";
import { textTable } from "./markdown.ts";

type Create = (...given: readonly unknown[]) => Adapter;

/** The exports of a provider's package. */
const importProvider = async (provider: string): Promise<Readonly<Record<string, unknown>>> =>
  import(join(root, `packages/provider-${provider}/src/index.ts`));

const meanings: Readonly<Record<NonNullable<Adapter["outputFormat"]> | "none", string>> = {
  always: "also with tools",
  "without-tools": "without tools; with tools, the tool `final_output`",
  none: "the tool `final_output`",
};
const meaningOf = (format: Adapter["outputFormat"]): string => meanings[format ?? "none"];

/** The adapters by model: how each is made, and the field of its protocol. */
const adapters: readonly (readonly [
  label: string,
  field: string,
  provider: string,
  model: string | readonly [],
  factory?: string,
  options?: object,
])[] = [
  ["`anthropic`, Claude 4.5 and later", "`output_config.format`", "anthropic", "claude-opus-4-5"],
  ["`anthropic`, earlier and other models", "", "anthropic", "claude-opus-4-1"],
  ["`openai`, GPT-4o and later", "`text.format`", "openai", "gpt-4o"],
  ["`openaiChat`, GPT-4o and later", "`response_format`", "openai", "gpt-4o", "openaiChat"],
  ["both, earlier models", "", "openai", "gpt-4-turbo", "openaiChat"],
  ["`google`, Gemini 3 and later", "`responseJsonSchema`", "google", "gemini-3.1-pro"],
  ["`google`, Gemini 2.5", "`responseJsonSchema`", "google", "gemini-2.5-flash"],
  ["`google`, earlier and other models", "", "google", "gemini-2.0-flash"],
  ["`mistral`", "`response_format`", "mistral", "mistral-large-latest"],
  ["`copilot`", "", "copilot", "gpt-5.5", "copilot", { token: async () => ({ token: "" }) }],
  ["`mock`", "", "mock", []],
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
    adapters.map(async ([label, field, provider, model, factory = provider, options]) => {
      const make = (await importProvider(provider))[factory] as Create;
      const { outputFormat } = make(model, options);
      return [label, field, meaningOf(outputFormat)];
    }),
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
