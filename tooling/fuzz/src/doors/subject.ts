import { canonical } from "../json.ts";
import { describeReading, type Violation } from "../judge.ts";
import { type ProtocolName, protocols } from "../protocols.ts";
import type { Reading, WireCall } from "../reading.ts";
import { responseOf, type Sent, type Subject, transmit } from "../subject.ts";
import { isOffered } from "../tools.ts";
import type { Door, GivenCall, Model } from "./door.ts";

/** What a library gives out behind its middleware, compared with the reference reader. */
export function createDoorSubject(name: ProtocolName, door: Door): Subject {
  const protocol = protocols[name];
  let respond = (): Response => new Response("{}");
  const models = new Map(
    Object.entries(door.models[name] ?? {}).map(([host, model]) => [
      host,
      model(async () => respond()),
    ]),
  );
  return {
    async ask(sent) {
      const { written } = sent;
      const model = models.get(written.host);
      if (model === undefined) throw new Error(`The host ${written.host} has no model.`);
      const arrived = transmit(sent, protocol);
      const received = protocol.framing.parse(arrived.bytes, arrived.reset);
      const reading = door.read(protocol, received, written.host);
      respond = () => responseOf(sent, protocol, arrived);
      const given = await givenCalls(model, sent, true);
      const readable = isOwed(reading) ? await givenCalls(model, sent, false) : [];
      const keys = given.map(givenKey);
      return {
        reading,
        calls: { issued: given.length, withheld: reading.calls.length - given.length, changed: 0 },
        broken: judgeGiven(reading, keys, readable.map(givenKey)),
      };
    },
  };
}

/** A finished reply whose calls the library must give out, if it can read them. */
const isOwed = ({ verdict, calls }: Reading): boolean =>
  verdict === "finished" && calls.length > 0 && !calls.some(isBlurred);

/**
 * A library that has parsed an input does not show whether a large number was rounded. And V8
 * misreads some keys that are written with a backslash (`packages/core/src/json/parse.ts`).
 */
const isBlurred = ({ text }: WireCall): boolean => {
  const json = canonical(text);
  return (
    /(?:[^\x20-\x7e]|\\.)[^"]*"\s*:/.test(json) ||
    (text.match(/-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g) ?? []).some(
      (number) => Math.abs(Number(number)) > Number.MAX_SAFE_INTEGER,
    )
  );
};

async function givenCalls(
  model: Model,
  { written }: Sent,
  isGuarded: boolean,
): Promise<readonly GivenCall[]> {
  try {
    const calls = await model.ask({ whole: written.whole, isGuarded });
    return calls.filter(({ name }) => isOffered(name));
  } catch {
    return [];
  }
}

/** Equal calls have equal texts. Ids may be those of the library. */
const givenKey = ({ name, input }: GivenCall): string =>
  JSON.stringify([
    name,
    typeof input === "string" ? input : canonical(JSON.stringify(input) ?? ""),
  ]);
const wireKey = ({ name, text, free }: WireCall): string =>
  JSON.stringify([name, free ? text : canonical(text)]);

function judgeGiven(
  reading: Reading,
  given: readonly string[],
  readable: readonly string[],
): Violation | undefined {
  const { verdict, sure } = reading;
  // A loop refuses a call of a tool that it does not have.
  const wire = reading.calls
    .filter(({ name }) => name !== undefined && isOffered(name))
    .map(wireKey);
  const violation = (property: Violation["property"]): Violation => ({
    property,
    expected: describeReading(reading),
    actual: JSON.stringify({ given, readable }),
  });
  if (given.length > 0 && !reading.calls.some(isBlurred)) {
    if (verdict === "unfinished") return violation("unfinished");
    // A key that V8 misreads has a backslash.
    const isMisread = given.some((key) => key.includes("\\\\"));
    if (sure && !isMisread && !areSameKeys(wire, given)) return violation("lost");
  }
  return isOwed(reading) && areSameKeys(wire, readable) && given.length === 0
    ? violation("withheld")
    : undefined;
}

const areSameKeys = (one: readonly string[], other: readonly string[]): boolean =>
  String(one.toSorted()) === String(other.toSorted());
