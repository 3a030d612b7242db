import type { Report } from "@fullstop/conformance/report";
import { html } from "./html/index.ts";
import { issue } from "./issue.ts";
import { junit } from "./junit.ts";
import { type Paint, terminal } from "./terminal.ts";

export type ReporterName = "terminal" | "json" | "junit" | "html" | "issue";

/** The reporters by name. Only `terminal` uses `paint`; without it the output has no colours. */
export const reporters: Readonly<Record<ReporterName, (report: Report, paint?: Paint) => string>> =
  {
    terminal,
    json: (report) => `${JSON.stringify(report, null, 2)}\n`,
    junit,
    html,
    issue,
  };
