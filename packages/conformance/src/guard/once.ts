import { chunks, render } from "../harness/bytes.ts";
import { type Check, describeCall, withBytes } from "../harness/check.ts";
import { isObject, tryParseJson } from "../harness/json.ts";
import {
  describeExcess,
  noExcess,
  repeatedReplies,
  repliesBehindACall,
} from "../harness/second-reply.ts";
import { assembledCalls, describeCalls } from "./checks.ts";
import type { GuardHarness } from "./harness.ts";

/** Sends each finished reply that says a call twice. A naive client must find each call once. */
export async function* checkRepeatedLeave(harness: GuardHarness): AsyncGenerator<Check> {
  for (const { at, frames, calls } of repeatedReplies(harness.wire)) {
    const { bytes } = render(harness.wire, frames);
    const expected = describeCalls(calls.map(describeCall));
    for (const size of [bytes.length, 7]) {
      const { text } = await harness.pass({ chunks: chunks(bytes, size) });
      const actual = assembledCalls(harness.readLeft(text));
      yield withBytes({ at: `${at}, ${size} bytes at a time`, expected, actual }, bytes);
    }
  }
}

/** Sends each reply that was cut, with another one behind it: its call must not leave. */
export async function* checkSecondLeave(harness: GuardHarness): AsyncGenerator<Check> {
  for (const { at, frames, calls } of repliesBehindACall(harness.wire)) {
    const { bytes } = render(harness.wire, frames);
    const { text } = await harness.pass({ chunks: [bytes] });
    const left = harness.readLeft(text).calls.map(({ name, input }) => {
      const value = tryParseJson(input);
      return { name, input: isObject(value) ? value : {} };
    });
    yield withBytes({ at, expected: noExcess, actual: describeExcess(left, calls) }, bytes);
  }
}
