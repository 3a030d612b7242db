import { createTerminal, type OutputStream } from "../demo/terminal.ts";
import type { CheckedFile, PlacedFlaw } from "./work.ts";

const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? "" : "s"}`;
const sum = (checks: readonly CheckedFile[], of: (checked: CheckedFile) => number): number =>
  checks.reduce((total, checked) => total + of(checked), 0);

/** Control characters of a file's ids must not reach a terminal. */
const printable = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "?");

/** Writes the flaws for a person, and a line that sums them up. */
export function describeChecks(checks: readonly CheckedFile[], stream: OutputStream): void {
  const { paint, line } = createTerminal(stream);
  const describe = (flaw: PlacedFlaw, mark: string): void => {
    const lineOf = flaw.line === undefined ? "" : ` line ${flaw.line}`;
    const id = flaw.id === undefined ? "" : ` ${printable(flaw.id)}`;
    line(
      `${mark} ${printable(flaw.file)}${lineOf} message ${flaw.at}: ${paint("bold", flaw.rule)}${id}`,
    );
    line(`    ${flaw.sentence}`);
    line(`    ${paint("dim", `In effect: ${flaw.effect}. ${flaw.reference}`)}`);
  };
  for (const { file, reports, fixed, left } of checks) {
    for (const flaw of fixed) describe(flaw, paint("green", "fixed"));
    for (const flaw of left) describe(flaw, paint("red", "✖"));
    for (const { shape, evidence, messages, line: at } of reports) {
      const place = at === undefined ? printable(file) : `${printable(file)} line ${at}`;
      line(paint("dim", `${place}: ${shape}, by ${evidence}; ${count(messages, "message")}`));
    }
  }
  const flaws = sum(checks, ({ left }) => left.length);
  const fixed = sum(checks, (checked) => checked.fixed.length);
  const repaired = fixed > 0 ? `, ${fixed} fixed` : "";
  line(
    paint(
      flaws > 0 ? "red" : "green",
      `${count(checks.length, "file")}, ${count(flaws, "flaw")}${repaired}`,
    ),
  );
}

/** Writes the same as JSON lines. */
export function writeJson(checks: readonly CheckedFile[], stream: OutputStream): void {
  const write = (value: unknown): void => {
    stream.write(`${JSON.stringify(value)}\n`);
  };
  const toJson = (type: string, { at, ...flaw }: PlacedFlaw): unknown => ({
    type,
    message: at,
    ...flaw,
  });
  for (const { file, reports, fixed, left } of checks) {
    for (const flaw of fixed) write(toJson("fixed", flaw));
    for (const flaw of left) write(toJson("flaw", flaw));
    for (const { flaws, ...report } of reports)
      write({ type: "checked", file, ...report, flaws: flaws.length });
  }
  write({
    type: "summary",
    files: checks.length,
    flaws: sum(checks, ({ left }) => left.length),
    fixed: sum(checks, (checked) => checked.fixed.length),
  });
}
