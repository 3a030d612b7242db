import { join } from "node:path";
import { root } from "./blocks.ts";
import { textTable } from "./markdown.ts";

interface Limit {
  readonly option: string;
  readonly unit: string;
  readonly standard: number;
  readonly least: number;
  readonly what: string;
  readonly beyond: string;
}

/** The limits of the gateway, as a table. */
export async function limitsTable(): Promise<string> {
  const { limitTable } = (await import(join(root, "apps/gateway/src/limits.ts"))) as {
    readonly limitTable: Readonly<Record<string, Limit>>;
  };
  const rows = Object.values(limitTable).map(({ option, unit, standard, least, what, beyond }) => [
    `\`${option}\``,
    `${what}${least === 0 ? " (0: without a limit)" : ""}`,
    amount(standard, unit),
    beyond,
  ]);
  return textTable(["option", "limits", "default", "beyond it"], rows);
}

const amount = (value: number, unit: string): string =>
  unit === "number" ? value.toLocaleString("en") : `${value} ${unit}`;
