export { type FixReport, fixTranscript } from "./fix.ts";
export { type LintFlaw, type LintReport, lintTranscript } from "./lint.ts";
export { readTranscripts, type TranscriptFile } from "./read-text.ts";
export type { LintOptions } from "./recognize.ts";
export { type LintRule, type RuleDescription, type RuleEffect, rules } from "./rules.ts";
export { type ShapeName, shapeNames } from "./shape.ts";
export { TranscriptError } from "./transcript-error.ts";
