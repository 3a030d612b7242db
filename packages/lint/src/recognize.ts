import { checkOptions, type OptionKinds, oneOf } from "@fullstop/core/adapter";
import { type Document, type Shape, type ShapeName, shapeNames } from "./shape.ts";
import { shapes } from "./shapes/index.ts";
import { TranscriptError } from "./transcript-error.ts";
import { type Fields, isFields } from "./values.ts";

export interface Recognized {
  readonly name: ShapeName;
  readonly shape: Shape;
  readonly evidence: string;
  readonly document: Document;
  /** The value of the file, with another list. */
  readonly withList: (list: readonly unknown[]) => unknown;
}

const expected = `Expected a list of messages, or a request body with \`messages\`, \`contents\` or \`input\`, of one of these shapes: ${shapeNames.map((name) => `${name} (${shapes[name].title})`).join(", ")}`;

/** How a transcript is read. */
export interface LintOptions {
  /** The shape of the messages, if it cannot be recognized. */
  readonly shape?: ShapeName | undefined;
}

const lintKinds: OptionKinds<Required<LintOptions>> = { shape: oneOf(...shapeNames) };

/** Finds the shape of a transcript by its evidence, unless an option names it. */
export function recognize(transcript: unknown, options: LintOptions = {}): Recognized {
  checkOptions(options, lintKinds);
  const { shape: given } = options;
  const candidates = given === undefined ? shapeNames : [given];
  const found = candidates.flatMap((name) => recognizeAs(name, transcript, given !== undefined));
  const [only, another] = found;
  if (only === undefined) throw new TranscriptError(describeUnknown(transcript, given));
  if (another !== undefined) {
    const names = found.map(({ name, evidence }) => `${name} (${evidence})`).join(" and ");
    throw new TranscriptError(
      `The transcript fits several shapes: ${names}. Name one with the option \`shape\`.`,
    );
  }
  return only;
}

function describeUnknown(transcript: unknown, given: ShapeName | undefined): string {
  if (given !== undefined)
    return `The transcript does not hold a list of ${shapes[given].title}: expected an array of objects, or an object with \`${shapes[given].member}\`.`;
  return listIn(transcript, "messages") === undefined
    ? `This is not a transcript. ${expected}.`
    : `Nothing in the transcript shows its shape. ${expected}. Name one with the option \`shape\`.`;
}

function recognizeAs(
  name: ShapeName,
  transcript: unknown,
  isGiven: boolean,
): readonly Recognized[] {
  const shape = shapes[name];
  const list = listIn(transcript, shape.member);
  if (list === undefined) return [];
  const body = isFields(transcript) ? transcript : {};
  const document = { list, body };
  const evidence = isGiven ? "the option `shape`" : shape.evidence(document);
  if (evidence === undefined) return [];
  const withList = (changed: readonly unknown[]): unknown =>
    isFields(transcript) ? { ...transcript, [shape.member]: changed } : changed;
  return [{ name, shape, evidence, document, withList }];
}

/** A string as `input` is one message of a person. */
function listIn(transcript: unknown, member: string): readonly Fields[] | undefined {
  const value = isFields(transcript) ? transcript[member] : transcript;
  if (member === "input" && isFields(transcript) && typeof value === "string")
    return [{ role: "user", content: value }];
  return Array.isArray(value) && value.every(isFields) ? value : undefined;
}
