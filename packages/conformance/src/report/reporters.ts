import type { Report } from "./report.ts";

export type ReporterName = "json";

/** A report as text, by the name of the reporter. */
export const reporters: Readonly<Record<ReporterName, (report: Report) => string>> = {
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
};
