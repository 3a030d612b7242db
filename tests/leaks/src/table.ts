import { join } from "node:path";
import { root } from "@tooling/publish/process";
import type { Measurement } from "./measure.ts";

/** Where the figures are shown. */
export const page: string = join(root, "packages/loop/guides/recovery.md");

/** The sum of counts. */
export const totalOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

const byForm = (counts: Readonly<Record<string, number>>): string => {
  const parts = Object.entries(counts).map(([form, count]) => `${form} ${count}`);
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
};

/** The figures of a measurement, as the guide says them. */
export function sentencesOf({
  packages,
  withMarkup,
  alarms,
  alarmsWithoutFences,
  missed,
  replies,
}: Measurement): string {
  const texts = totalOf(packages);
  const number = (count: number): string => count.toLocaleString("en-US");
  return [
    `Measured (\`pnpm leaks\`): of ${replies} replies in the forms of public threads, ${replies - totalOf(missed)} are found. The others are in ${Object.keys(missed).join(", ")}.`,
    `Of ${number(texts)} texts about tool calls in the documents of ${Object.keys(packages).length} packages, ${number(withMarkup)} with such markup, ${number(totalOf(alarms))} are false alarms${byForm(alarms)}, although each word of a text counts as the name of an offered tool. Without the marks of their blocks of code, ${number(totalOf(alarmsWithoutFences))} are${byForm(alarmsWithoutFences)}.`,
  ].join("\n");
}
