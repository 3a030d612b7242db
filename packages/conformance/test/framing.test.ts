import { EventStreamCodec } from "@smithy/core/event-streams";
import { fromUtf8, toUtf8 } from "@smithy/core/serde";
import { places } from "@tooling/test/sample";
import { describe, expect, test } from "vitest";
import { toRecordings } from "../src/fixtures/corpus.ts";
import { framingOf } from "../src/framing/index.ts";
import { type FramingName, judge, report, type Subject, type Verdict } from "../src/index.ts";
import { smallLoop } from "../src/loop/small-loop.ts";
import { replay } from "../src/replay/replay.ts";
import { framedAcme, ignoringExceptions } from "./framed.ts";
import { mutantsFor } from "./mutants.ts";

const others: readonly FramingName[] = ["ndjson", "aws"];
/** The clauses about bytes. */
const byteClauses = /^(?:wire\.|stop\.(?:cut|later-prefix|abort)$|error\.)/;

const verdictOf = async (subject: Subject, only: string): Promise<Verdict | undefined> => {
  for await (const verdict of judge(subject, { only, first: true })) return verdict;
  return undefined;
};

test("a wire is not kept by a reader of another framing", async () => {
  for (const framing of others) {
    const { wire } = framedAcme(framing);
    const reader = { ...framedAcme("sse"), wire };
    expect((await verdictOf(reader, "turn.text-kept"))?.status, framing).toBe("broken");
  }
});

test.each(["InternalFailure", "end"])(
  "a reader that takes the exception %s for an event is found",
  async (name) => {
    const verdict = await verdictOf(
      ignoringExceptions((type) => type === name),
      "error.in-band",
    );
    expect(verdict?.broken[0]?.at).toContain(`":exception-type":"${name}"`);
  },
);

describe("the AWS SDK", () => {
  const { wire } = framedAcme("aws");
  const codec = new EventStreamCodec(toUtf8, fromUtf8);
  const { styles, usual, damages } = framingOf(wire);
  const payloads = (wire.fixtures ?? []).flatMap(({ frames }) => frames.upToTerminal);
  const read = (bytes: Uint8Array): unknown => {
    const { headers, body } = codec.decode(bytes);
    const kind = String(headers[":message-type"]?.value);
    return { [String(headers[`:${kind}-type`]?.value)]: JSON.parse(toUtf8(body)) };
  };

  test.for(Object.entries({ usual, ...styles }))("reads what is written as %s", ([, style]) => {
    expect(payloads.length).toBeGreaterThan(3);
    for (const payload of payloads)
      expect(read(style.write(payload, 0))).toEqual(JSON.parse(payload));
    const exception = { InternalFailure: { message: "Later." } };
    const data = JSON.stringify({ ...exception, ":exception-type": "InternalFailure" });
    expect(read(style.write(data, 0))).toEqual(exception);
  });

  test("reads the code and the text of an error", () => {
    const error = '{":error-code":"busy",":error-message":"Too busy."}';
    const { headers } = codec.decode(usual.write(error, 0));
    const values = Object.entries(headers).map(([name, { value }]) => [name, value]);
    expect(Object.fromEntries(values)).toEqual({ ":message-type": "error", ...JSON.parse(error) });
  });

  test.for(Object.entries(damages))("refuses an event %s", ([, write]) => {
    for (const payload of payloads) expect(() => read(write(payload))).toThrow();
  });
});

describe.for(others)("a wire whose framing is %s", (framing) => {
  const sound = framedAcme(framing);

  test("keeps every clause with a sound reader", async () => {
    let checks = 0;
    for await (const verdict of judge(sound, { sample: places() })) {
      checks += verdict.checks;
      expect(verdict.broken, report(verdict)).toEqual([]);
    }
    expect(checks).toBeGreaterThan(1000);
  });

  test("is also served to loops", async () => {
    for await (const verdict of judge(smallLoop(sound)))
      expect(verdict.broken, report(verdict)).toEqual([]);
  });

  test("keeps the clauses about recordings with its own fixtures", async () => {
    const { wire } = sound;
    const { verdicts } = await replay(
      sound,
      (wire.fixtures ?? []).flatMap((fixture) => toRecordings(wire, fixture)),
    );
    for await (const verdict of verdicts()) expect(verdict.broken, report(verdict)).toEqual([]);
  });

  test("is refused behind a guard, which reads server-sent events", async () => {
    const behind: Subject = { ...sound, guard: (fetch) => fetch };
    await expect(verdictOf(behind, "stop.cut")).rejects.toThrow("Remove `guard`");
  });

  test.for(mutantsFor(framing).filter(({ caughtBy }) => byteClauses.test(caughtBy)))(
    "$caughtBy catches a mutant that $wrong",
    async ({ caughtBy, subject }) => {
      expect((await verdictOf(subject(sound), caughtBy))?.status).toBe("broken");
    },
  );
});
