import type { Report } from "@fullstop/conformance/report";
import { html } from "./html/index.ts";
import { junit } from "./junit.ts";
import { type Paint, terminal } from "./terminal.ts";

/** How a report can be written. */
export type ReporterName = "terminal" | "json" | "junit" | "html";

/** A report as text, by the name of the reporter. Only `terminal` asks for colours, and has none unless told how to paint. */
export const reporters: Readonly<Record<ReporterName, (report: Report, paint?: Paint) => string>> =
  {
    terminal,
    json: (report) => `${JSON.stringify(report, null, 2)}\n`,
    junit,
    html,
  };
