import { repairHistory } from "@fullstop/core";
import { withoutDeniedCalls } from "./input-flaws.ts";
import { findFlaws, type LintFlaw } from "./lint.ts";
import { type LintOptions, recognize } from "./recognize.ts";
import type { ShapeName } from "./shape.ts";

/** A repaired transcript. */
export interface FixReport {
  readonly shape: ShapeName;
  /** The transcript as it was given, with repaired messages. The same value if nothing changed. */
  readonly transcript: unknown;
  /** What was repaired. */
  readonly fixed: readonly LintFlaw[];
  /** What is left: a person must decide about it. */
  readonly left: readonly LintFlaw[];
}

/**
 * Repairs what is safe to repair, as `repairHistory` of core does: calls without results get an
 * error result that says so, results without calls are removed, ids that are used twice change. A
 * call that a note says did not run is removed. The argument does not change.
 * @throws TranscriptError if the value has none of the known shapes, or fits several. TypeError for
 * an option that cannot work.
 */
export function fixTranscript(transcript: unknown, options?: LintOptions): FixReport {
  const recognized = recognize(transcript, options);
  const { name, shape, document, withList } = recognized;
  const fixed = findFlaws(recognized).filter(({ fixable }) => fixable);
  if (fixed.length === 0) return { shape: name, transcript, fixed, left: findFlaws(recognized) };
  const { messages } = repairHistory(withoutDeniedCalls(shape.read(document)));
  const repaired = withList(shape.write(messages, document));
  return {
    shape: name,
    transcript: repaired,
    fixed,
    left: findFlaws(recognize(repaired, { shape: name })),
  };
}
