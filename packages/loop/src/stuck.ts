import type { ToolCall, ToolMessage, ToolResultBlock } from "@fullstop/core";
import { canonical, textOf } from "./canonical.ts";
import type { Tool } from "./tool.ts";

/** The calls of one turn that were answered by their tools, each with what it gave. Twins are one. */
interface Round {
  readonly pairs: ReadonlyMap<string, ReadonlySet<string>>;
  /** It holds a pair that no round before it held. */
  readonly isNew: boolean;
}
/** What of a run shows that it goes in circles. */
export interface Circles {
  readonly rounds: readonly Round[];
  /** By tool: turns in a row in which all that it gave were errors. */
  readonly failures: ReadonlyMap<string, number>;
  /** Turns in which calls were kept from running, since a tool last gave something new that is no error. */
  readonly warnings: number;
}
export const noCircles: Circles = { rounds: [], failures: new Map(), warnings: 0 };

const remembered = 16;
const sameResults = 3;
const failuresInARow = 5;

/** The calls that would only repeat themselves, and what the model is told of each. */
export function repetitions(
  calls: readonly ToolCall[],
  circles: Circles,
  tools: ReadonlyMap<string, Tool>,
): ReadonlyMap<ToolCall, string> {
  const caught = calls.flatMap((call): (readonly [ToolCall, string])[] => {
    const found = tools.get(call.name)?.polls
      ? undefined
      : (repeats(call, circles) ?? fails(call, circles));
    return found === undefined ? [] : [[call, found]];
  });
  const isLast = circles.warnings > 0 && caught.length === calls.length;
  return new Map(
    caught.map(([call, found]) => [call, `${found} ${isLast ? answerNow : changeCourse}`]),
  );
}
const changeCourse = "Try another way, or say what keeps you from going on.";
export const answerNow = "No more tools can be called. Say now what is done, what is not, and why.";

/** The same result so often, and nothing new since the first of them. */
function repeats(call: ToolCall, { rounds }: Circles): string | undefined {
  const key = keyOf(call);
  const results = new Set(rounds.flatMap(({ pairs }) => [...(pairs.get(key) ?? [])]));
  const stands = [...results].some((result) => {
    const at = rounds
      .flatMap(({ pairs }, position) => (pairs.get(key)?.has(result) ? [position] : []))
      .at(-sameResults);
    return at !== undefined && rounds.slice(at + 1).every(({ isNew }) => !isNew);
  });
  return stands
    ? `it gave the same result ${sameResults} times, and nothing new came in between.`
    : undefined;
}

const fails = ({ name }: ToolCall, { failures }: Circles): string | undefined =>
  (failures.get(name) ?? 0) >= failuresInARow
    ? `${name} failed ${failuresInARow} times in a row.`
    : undefined;

/** What cannot be compared is like nothing else. */
const keyOf = ({ id, name, input }: ToolCall): string => `${name} ${textOf(input) ?? id}`;
const resultOf = ({ content, isError }: ToolResultBlock): string =>
  `${isError ? "error" : "ok"} ${canonical(content)}`;

/** The calls of a turn, what became of them, and which were kept from running. */
interface Answered {
  readonly calls: readonly ToolCall[];
  readonly results: ToolMessage;
  readonly declined: ReadonlyMap<ToolCall, string>;
}
interface Pair {
  readonly name: string;
  readonly key: string;
  readonly result: string;
  readonly failed: boolean;
}

/** What a turn adds to the picture; calls that were kept from running gave nothing. */
export function observe(circles: Circles, { calls, results, declined }: Answered): Circles {
  const given = calls.flatMap((call, position): readonly Pair[] => {
    const result = results.content[position];
    if (result === undefined || declined.has(call)) return [];
    return [
      {
        name: call.name,
        key: keyOf(call),
        result: resultOf(result),
        failed: result.isError === true,
      },
    ];
  });
  const fresh = given.filter(
    ({ key, result }) => !circles.rounds.some(({ pairs }) => pairs.get(key)?.has(result)),
  );
  const gained = fresh.some(({ failed }) => !failed);
  const failures = gained ? new Map<string, number>() : new Map(circles.failures);
  // A tool that failed is one that gave nothing but errors.
  const worked = new Set(given.flatMap(({ name, failed }) => (failed ? [] : [name])));
  for (const name of new Set(given.map((pair) => pair.name)))
    failures.set(name, worked.has(name) ? 0 : (circles.failures.get(name) ?? 0) + 1);
  for (const { name } of declined.keys())
    failures.set(name, Math.min(failures.get(name) ?? 0, failuresInARow - 1));
  return {
    rounds: [...circles.rounds, roundOf(given, fresh.length > 0)].slice(-remembered),
    failures,
    warnings: gained ? 0 : circles.warnings + (declined.size > 0 ? 1 : 0),
  };
}

function roundOf(given: readonly Pair[], isNew: boolean): Round {
  const pairs = new Map<string, Set<string>>();
  for (const { key, result } of given) pairs.set(key, (pairs.get(key) ?? new Set()).add(result));
  return { pairs, isNew };
}

/** A warning did not help. */
export const isStuck = ({ warnings }: Circles): boolean => warnings > 1;
