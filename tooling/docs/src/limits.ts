import { join } from "node:path";
import { root } from "./blocks.ts";
import { textTable } from "./markdown.ts";

interface Limits {
  readonly limitTable: Readonly<Record<string, readonly [number, string, string, string]>>;
  optionOf(name: string): string;
  leastOf(name: string): number;
}

/** The limits of the gateway, as a table. */
export async function limitsTable(): Promise<string> {
  const { limitTable, optionOf, leastOf }: Limits = await import(
    join(root, "apps/gateway/src/limits.ts")
  );
  const rows = Object.entries(limitTable).map(([name, [standard, unit, what, beyond]]) => [
    `\`${optionOf(name)}\``,
    `${what}${leastOf(name) === 0 ? " (0: without a limit)" : ""}`,
    amount(standard, unit),
    beyond,
  ]);
  return textTable(["option", "limits", "default", "beyond it"], rows);
}

const amount = (value: number, unit: string): string =>
  unit === "number" ? value.toLocaleString("en") : `${value} ${unit}`;
