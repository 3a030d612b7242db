import { createTerminal, type OutputStream } from "../demo/terminal.ts";
import { count, printable } from "../printable.ts";
import type { CheckedFile, PlacedFlaw } from "./work.ts";

const sum = (checks: readonly CheckedFile[], of: (checked: CheckedFile) => number): number =>
  checks.reduce((total, checked) => total + of(checked), 0);

/** Where in its file a transcript is. */
const placeOf = ({ line, run, request }: Pick<PlacedFlaw, "line" | "run" | "request">): string =>
  [
    line === undefined ? "" : ` line ${line}`,
    run === undefined ? "" : ` run ${printable(run)}`,
    request === undefined ? "" : ` request ${request}`,
  ].join("");

/** Writes the flaws for a person, and a line that sums them up. */
export function describeChecks(checks: readonly CheckedFile[], stream: OutputStream): void {
  const { paint, paragraph } = createTerminal(stream);
  const describe = (flaw: PlacedFlaw, mark: string): void => {
    const id = flaw.id === undefined ? "" : ` ${printable(flaw.id)}`;
    paragraph(
      "",
      `${mark} ${printable(flaw.file)}${placeOf(flaw)} message ${flaw.at}: ${paint("bold", flaw.rule)}${id}`,
    );
    paragraph("    ", flaw.sentence);
    paragraph("    ", paint("dim", `In effect: ${flaw.effect}. ${flaw.reference}`));
  };
  for (const { file, reports, fixed, left, notes } of checks) {
    for (const flaw of fixed) describe(flaw, paint("green", "fixed"));
    for (const flaw of left) describe(flaw, paint("red", "✖"));
    for (const report of reports) {
      const { shape, evidence, messages } = report;
      const place = `${printable(file)}${placeOf(report)}`;
      paragraph(
        "",
        paint("dim", `${place}: ${shape}, by ${evidence}; ${count(messages, "message")}`),
      );
    }
    for (const note of notes)
      paragraph("", paint("yellow", `${printable(file)}: ${printable(note)}`));
  }
  const flaws = sum(checks, ({ left }) => left.length);
  const fixed = sum(checks, (checked) => checked.fixed.length);
  const repaired = fixed > 0 ? `, ${fixed} fixed` : "";
  paragraph(
    "",
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
  for (const { file, reports, fixed, left, notes } of checks) {
    for (const flaw of fixed) write(toJson("fixed", flaw));
    for (const flaw of left) write(toJson("flaw", flaw));
    for (const { flaws, ...report } of reports)
      write({ type: "checked", file, ...report, flaws: flaws.length });
    for (const note of notes) write({ type: "note", file, note });
  }
  write({
    type: "summary",
    files: checks.length,
    flaws: sum(checks, ({ left }) => left.length),
    fixed: sum(checks, (checked) => checked.fixed.length),
  });
}
