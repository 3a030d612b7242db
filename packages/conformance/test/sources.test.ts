import { describe, expect, test } from "vitest";
import { textForWire } from "../src/clause.ts";
import {
  clauses,
  type ReplyCall,
  type ScriptContext,
  textForLoops,
  type Wire,
} from "../src/index.ts";
import { allScripts } from "../src/loop/scripts.ts";
import { wires } from "../src/wires/index.ts";

const call = (id: string, path = `${id}.txt`): ReplyCall => ({
  name: "write",
  id,
  input: { path },
});

/** Every kind of subject: what it asks for decides which scripts there are. */
const contextsOf = (wire: Wire): readonly ScriptContext[] =>
  [true, false].flatMap((streams) =>
    [true, false].map((forcesCall) => ({
      wire,
      calls: [call("first"), call("second"), call("third")] as const,
      longCall: call("long", "long".repeat(1100)),
      streams,
      forcesCall,
      cap: 1024,
      canPause: true,
    })),
  );

const namedWires: readonly (readonly [string, Wire])[] = Object.entries(wires);

describe.for(namedWires)("a reply of %s to an agent", ([, wire]) => {
  const ids = new Set(
    contextsOf(wire).flatMap((context) => allScripts(context).map(({ id }) => id)),
  );

  test("has a source, and each source is of a reply", () => {
    expect(Object.keys(wire.sources ?? {}).toSorted()).toEqual([...ids].toSorted());
  });

  test("has references that are about its own protocol, or about none", () => {
    for (const { references } of Object.values(wire.sources ?? {})) {
      expect(references.length).toBeGreaterThan(0);
      for (const { wire: about } of references) expect([wire.name, undefined]).toContain(about);
    }
  });

  test("is called documented only with a page of the vendor", () => {
    for (const { evidence, references } of Object.values(wire.sources ?? {})) {
      const isPage = references.some((one) => "url" in one);
      if (evidence === "documented") expect(isPage).toBe(true);
      if (evidence === "seen") expect(references.some((one) => "issue" in one)).toBe(true);
    }
  });
});

test.for(
  clauses.flatMap((clause) =>
    clause.loop === undefined || textForLoops(clause).level === "should"
      ? []
      : namedWires
          .filter(([, wire]) =>
            contextsOf(wire).some((context) => (clause.loop?.checkIds?.(context).length ?? 0) > 0),
          )
          .map(([, wire]) => ({ id: clause.id, clause, wire })),
  ),
)("$id, which $wire.name must keep, has a source of that protocol", ({ clause, wire }) => {
  const { references } = textForWire(textForLoops(clause), wire.name);
  expect(references.map((one) => one.wire)).toContain(wire.name);
});
