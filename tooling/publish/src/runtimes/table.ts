import type { RuntimeResult } from "./judged.ts";
import type { TestedPackage } from "./packages.ts";
import { type RuntimeName, runtimes } from "./runtimes.ts";

/** The results by package, then by runtime; only those that were run. */
export type Results = ReadonlyMap<string, Map<RuntimeName, RuntimeResult>>;

const cell = (judged: RuntimeResult | undefined): string => {
  if (judged === undefined) return "–";
  const { kept, broken } = judged;
  return broken.length > 0 ? `**${broken.length} broken**` : `${kept} kept`;
};

/** The results as a Markdown table. */
export function table(
  packages: readonly TestedPackage[],
  on: readonly RuntimeName[],
  results: Results,
): string {
  const head = on.map((name) => `${name.split(" ")[0]} ${runtimes[name].version}`);
  const rows = packages.map(({ name }) => [
    `\`${name}\``,
    ...on.map((runtime) => cell(results.get(name)?.get(runtime))),
  ]);
  return [["package", ...head], ["---", ...head.map(() => "---")], ...rows]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
}
