import { type Rendered, render, renderBody, utf8 } from "../harness/bytes.ts";
import { type Check, withBytes } from "../harness/check.ts";
import type { Harness } from "../harness/harness.ts";
import { type Answer, jsonBody } from "../harness/host.ts";
import {
  framesWithText,
  objectReply,
  objectScenarios,
  recordedObjects,
} from "../harness/objects.ts";
import {
  describeGiven,
  givesNothing,
  givesOut,
  type ObjectForm,
  objectForms,
} from "../harness/read-object.ts";

/** A reply with an object, as bytes. */
export interface RenderedObject {
  readonly at: string;
  readonly rendered: Rendered;
  readonly headers?: Answer["headers"];
  /** What a reader makes of the whole reply. */
  readonly expected: string;
}

/** The replies with an object in this form: of the suite, streamed and not, and recorded ones. */
export function* renderObjects({ wire }: Harness, form: ObjectForm): Generator<RenderedObject> {
  for (const { name, value } of objectScenarios) {
    const reply = objectReply(wire, form, value);
    const at = `${name} as ${form}`;
    const expected = givesOut(value);
    yield { at, rendered: render(wire, wire.frames(reply)), expected };
    const body = wire.whole?.(reply);
    if (body !== undefined)
      yield {
        at: `${at}, not streamed`,
        rendered: renderBody(utf8(body)),
        headers: jsonBody,
        expected,
      };
  }
  if (form === "text") return;
  for (const { name, frames, value } of recordedObjects(wire)) {
    const expected = value === undefined ? givesNothing : givesOut(value);
    yield { at: `${name}, as ${form}`, rendered: render(wire, frames), expected };
  }
}

/** A text in place of an object, and what a reader makes of it. */
export interface ObjectText {
  readonly text: string;
  readonly expected: string;
  /** What the text is, if it does not say so itself. */
  readonly name?: string;
}

/** Sends finished replies with these texts in place of their object. */
export async function* checkObjectTexts(
  harness: Harness,
  textsAs: (form: ObjectForm) => Iterable<ObjectText>,
): AsyncGenerator<Check> {
  for (const form of objectForms(harness.adapter)) {
    for (const { text, expected, name = text } of textsAs(form)) {
      const frames = framesWithText(harness.wire, form, text);
      if (frames === undefined) continue;
      const { bytes } = render(harness.wire, frames);
      const actual = describeGiven(await harness.readObject(bytes, form));
      yield withBytes({ at: `${name} as ${form}`, expected, actual }, bytes);
    }
  }
}
