import type { CoderField, MeasuredCoder, MeasuredWay } from "@tooling/docs/coders";
import { coders } from "./list.ts";
import { scenarios } from "./scenarios.ts";

/** The new runs of one protocol and tool; what was not asked anew stays as it was. */
function mergeWays(before: MeasuredWay | undefined, anew: MeasuredWay): MeasuredWay {
  const names = scenarios.map(({ name }) => name);
  const runs = names.flatMap((name) => {
    const pair = { ...before?.runs[name], ...anew.runs[name] };
    return Object.keys(pair).length === 0 ? [] : [[name, pair] as const];
  });
  return { ...anew, runs: Object.fromEntries(runs) };
}

const mergeCoders = (before: MeasuredCoder | undefined, anew: MeasuredCoder): MeasuredCoder =>
  before === undefined || before.version !== anew.version
    ? anew
    : {
        ...anew,
        ways: anew.ways.map((way) =>
          mergeWays(
            before.ways.find(({ name }) => name === way.name),
            way,
          ),
        ),
      };

/** The previous results, with the new ones in their places. */
export function mergeCoderResults(
  before: CoderField | undefined,
  anew: readonly MeasuredCoder[],
): CoderField {
  const known = new Map(before?.coders.map((coder) => [coder.name, coder]));
  for (const coder of anew) known.set(coder.name, mergeCoders(known.get(coder.name), coder));
  return {
    scenarios: scenarios.map(({ name, title, mustRun, relabelled }) => ({
      name,
      title,
      mustRun,
      ...(relabelled && { relabelled }),
    })),
    coders: coders.flatMap(({ name }) => known.get(name) ?? []),
  };
}
