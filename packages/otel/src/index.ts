export { conventionsVersion } from "./names.ts";
export { type RejectedRun, type TraceOptions, type TraceRuns, traceRuns } from "./trace-runs.ts";
