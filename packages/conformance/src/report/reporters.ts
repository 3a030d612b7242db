import { html } from "./html/index.ts";
import { junit } from "./junit.ts";
import type { Report } from "./report.ts";
import { terminal } from "./terminal.ts";

/** How a report can be written. */
export type ReporterName = "terminal" | "json" | "junit" | "html";

/** A report as text. Only `terminal` uses colours, and only where standard output shows them. */
export const reporters: Readonly<Record<ReporterName, (report: Report) => string>> = {
  terminal,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  junit,
  html,
};
