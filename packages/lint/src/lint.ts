import { type Message, validateHistory } from "@fullstop/core";
import { deniedCalls, inputFlaws } from "./input-flaws.ts";
import { type LintOptions, type Recognized, recognize } from "./recognize.ts";
import { type LintRule, rules } from "./rules.ts";
import type { ShapeName } from "./shape.ts";
import { sourceOf } from "./transcript.ts";

/** A broken rule, and where. */
export interface LintFlaw {
  readonly rule: LintRule;
  /** The message, content or item, counted from 0 in its list. */
  readonly at: number;
  /** The id of the call, result or reasoning. With Gemini, which needs no ids, the tool's name. */
  readonly id?: string | undefined;
  /** What is wrong. */
  readonly sentence: string;
  /** Who refuses such a request, or what happens instead. */
  readonly effect: string;
  /** A public page or issue that shows the effect. */
  readonly reference: string;
  /** Whether `fixTranscript` repairs it. */
  readonly fixable: boolean;
}

/** What was found in a transcript. */
export interface LintReport {
  readonly shape: ShapeName;
  /** What shows the shape, as a noun phrase. */
  readonly evidence: string;
  /** How many messages, contents or items the transcript has. */
  readonly messages: number;
  readonly flaws: readonly LintFlaw[];
}

/**
 * Checks a transcript: a list of messages, or a request body that holds one.
 * @throws TranscriptError if the value has none of the known shapes, or fits several. TypeError for
 * an option that cannot work.
 */
export function lintTranscript(transcript: unknown, options?: LintOptions): LintReport {
  const recognized = recognize(transcript, options);
  return {
    shape: recognized.name,
    evidence: recognized.evidence,
    messages: recognized.document.list.length,
    flaws: findFlaws(recognized),
  };
}

export function findFlaws({ name, shape, document }: Recognized): readonly LintFlaw[] {
  const messages = shape.read(document);
  const found: readonly Place[] = [
    ...validateHistory(messages).map(({ rule, sentence, ...flaw }) => {
      if (rule === "not-messages") throw new TypeError(sentence);
      return placeOf({ ...flaw, rule }, messages);
    }),
    ...inputFlaws(messages, shape.requiredInputs?.(document.body) ?? new Map()),
    ...deniedCalls(messages),
    ...(shape.reasoningFlaws?.(document) ?? []).map(
      (flaw): Place => ({ ...flaw, rule: "detached-reasoning" }),
    ),
  ];
  return found
    .flatMap((place) => describe(place, name, document.list.length))
    .toSorted((one, other) => one.at - other.at);
}

interface Place {
  readonly rule: LintRule;
  readonly at: number;
  readonly id?: string | undefined;
}

/** The place in the file of a flaw that core found. */
function placeOf({ at, rule, id }: Place, messages: readonly Message[]): Place {
  const message = messages[at];
  const blocks = typeof message?.content === "string" ? [] : [...(message?.content ?? [])];
  const block = blocks.findLast((one) => id !== undefined && "id" in one && one.id === id);
  const source = sourceOf(block) ?? sourceOf(message) ?? sourceOf(blocks[0]);
  return { rule, at: source?.at ?? at, id: sourceOf(block)?.nativeId ?? id };
}

/** Nothing if the rule does not hold for the shape. */
function describe({ rule, at, id }: Place, shape: ShapeName, count: number): readonly LintFlaw[] {
  const { sentence, holds, fixable, allowedLast } = rules[rule];
  const effect = holds[shape];
  if (effect === undefined || (allowedLast?.includes(shape) && at === count - 1)) return [];
  return [{ rule, at, id, sentence, ...effect, fixable }];
}
