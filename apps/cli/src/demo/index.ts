/** The demo's task, for other programs that play it. */
export type { Input } from "./fault.ts";
export { createFileTools } from "./files.ts";
export { buildFrames, inputId } from "./frames.ts";
export { expectedFiles, notes } from "./project.ts";
export { type Provider, providers } from "./providers.ts";
export { caps, type Exchange, recovery, scriptedRuns } from "./script.ts";
