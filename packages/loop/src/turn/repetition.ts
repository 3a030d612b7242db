import type {
  Message,
  ToolCall,
  ToolCallBlock,
  ToolMessage,
  ToolResultBlock,
} from "@fullstop/core";
import { parsePlainJson } from "@fullstop/core/adapter";
import { canonicalJson, tryCanonicalJson } from "../util/values.ts";

/** A call of this run, or one that the conversation has. */
type RememberedCall = Pick<ToolCall, "id" | "name"> & { readonly input: unknown };

/** The calls of one turn that ran, each with its results. Identical calls count once. */
interface Round {
  readonly results: ReadonlyMap<string, ReadonlySet<string>>;
  /** It has a result that no remembered round before it had. */
  readonly isNew: boolean;
}

export interface RepetitionHistory {
  readonly rounds: readonly Round[];
  /** For each tool: turns in a row in which all its results were errors. */
  readonly failures: ReadonlyMap<string, number>;
  /** Turns with declined calls since a tool last returned something new that is not an error. */
  readonly warnings: number;
}

const noRepetitions: RepetitionHistory = { rounds: [], failures: new Map(), warnings: 0 };

const rememberedRounds = 16;
const maxSameResults = 3;
const maxFailuresInARow = 5;

/** Why the call is only a repetition, for the model. Undefined if it is not. */
export const describeRepetition = (
  call: ToolCall,
  history: RepetitionHistory,
): string | undefined => describeSameResults(call, history) ?? describeFailures(call, history);

/**
 * The call had the same result several times, and no call had a new result since the first of them.
 */
function describeSameResults(call: ToolCall, { rounds }: RepetitionHistory): string | undefined {
  const lastNew = rounds.findLastIndex(({ isNew }) => isNew);
  const key = callText(call);
  const counts = new Map<string, number>();
  for (const round of rounds.slice(Math.max(lastNew, 0)))
    for (const result of round.results.get(key) ?? [])
      counts.set(result, (counts.get(result) ?? 0) + 1);
  return [...counts.values()].some((count) => count >= maxSameResults)
    ? `this call returned the same result ${maxSameResults} times, and nothing else changed in between.`
    : undefined;
}

const describeFailures = (
  { name }: ToolCall,
  { failures }: RepetitionHistory,
): string | undefined =>
  (failures.get(name) ?? 0) >= maxFailuresInARow
    ? `${name} failed in ${maxFailuresInARow} turns in a row.`
    : undefined;

/** An input that JSON cannot hold is different from every other one. */
const callText = ({ id, name, input }: RememberedCall): string =>
  `${name} ${tryCanonicalJson(input) ?? id}`;
const resultText = ({ content, isError }: ToolResultBlock): string =>
  `${isError ? "error" : "ok"} ${canonicalJson(content)}`;

export interface AnsweredCalls<Call extends RememberedCall = ToolCall> {
  readonly calls: readonly Call[];
  readonly results: ToolMessage;
  readonly declined: ReadonlyMap<Call, string>;
}
interface CallRecord {
  readonly name: string;
  readonly call: string;
  readonly result: string;
  readonly failed: boolean;
}

export function recordCalls<Call extends RememberedCall>(
  history: RepetitionHistory,
  { calls, results, declined }: AnsweredCalls<Call>,
): RepetitionHistory {
  const records = calls.flatMap((call, position): readonly CallRecord[] => {
    const result = results.content[position];
    if (result === undefined || declined.has(call)) return [];
    return [
      {
        name: call.name,
        call: callText(call),
        result: resultText(result),
        failed: result.isError === true,
      },
    ];
  });
  const fresh = records.filter(
    ({ call, result }) => !history.rounds.some((round) => round.results.get(call)?.has(result)),
  );
  const hasProgress = fresh.some(({ failed }) => !failed);
  return {
    rounds: [...history.rounds, toRound(records, fresh.length > 0)].slice(-rememberedRounds),
    failures: countFailures(history.failures, hasProgress, records, declined),
    warnings: hasProgress ? 0 : history.warnings + (declined.size > 0 ? 1 : 0),
  };
}

function toRound(records: readonly CallRecord[], isNew: boolean): Round {
  const results = new Map<string, Set<string>>();
  for (const { call, result } of records)
    results.set(call, (results.get(call) ?? new Set()).add(result));
  return { results, isNew };
}

/** All its results of the turn are errors. After a decline it may be tried once more. */
function countFailures(
  before: RepetitionHistory["failures"],
  hasProgress: boolean,
  records: readonly CallRecord[],
  declined: AnsweredCalls<RememberedCall>["declined"],
): RepetitionHistory["failures"] {
  const failures = new Map(hasProgress ? [] : before);
  const succeeded = new Set(records.filter(({ failed }) => !failed).map(({ name }) => name));
  for (const name of new Set(records.map((record) => record.name)))
    failures.set(name, succeeded.has(name) ? 0 : (before.get(name) ?? 0) + 1);
  for (const { name } of declined.keys())
    failures.set(name, Math.min(failures.get(name) ?? 0, maxFailuresInARow - 1));
  return failures;
}

/**
 * What a conversation shows of its earlier runs. A user has written since, so each call may be tried
 * once more, and the next equal result, or the next failure, counts as the last one.
 */
export function earlierRepetitions(messages: readonly Message[]): RepetitionHistory {
  let history = noRepetitions;
  for (const turn of answeredTurns(messages).slice(-rememberedRounds))
    history = recordCalls(history, turn);
  const failures = [...history.failures].map(
    ([name, count]) => [name, Math.min(count, maxFailuresInARow - 1)] as const,
  );
  return {
    rounds: history.rounds.filter(({ results }) => results.size > 0).slice(1 - maxSameResults),
    failures: new Map(failures),
    warnings: 0,
  };
}

function answeredTurns(messages: readonly Message[]): readonly AnsweredCalls<RememberedCall>[] {
  return messages.flatMap((message, position) => {
    const results = messages[position + 1];
    if (message.role !== "assistant" || results?.role !== "tool") return [];
    const calls = message.content.flatMap((block): readonly RememberedCall[] =>
      block.type === "tool-call" ? [{ id: block.id, name: block.name, input: inputOf(block) }] : [],
    );
    const declined = calls.filter(({ name }, index) => {
      const content = results.content[index]?.content;
      return typeof content === "string" && content.startsWith(notRunPrefix(name));
    });
    return [{ calls, results, declined: new Map(declined.map((call) => [call, ""])) }];
  });
}

/** The input of a call as the gate gave it. A text that is not JSON is itself. */
function inputOf({ inputText, kind }: ToolCallBlock): unknown {
  if (kind === "text") return { text: inputText };
  try {
    return parsePlainJson(inputText || "{}");
  } catch {
    return inputText;
  }
}

/** Begins the result of a call that did not run. */
export const notRunPrefix = (name: string): string => `${name} was not run:`;

/** The model was warned, and repeated itself again. */
export const isStuck = ({ warnings }: RepetitionHistory): boolean => warnings > 1;
const tailLength = 2000;
const minCopies = 8;
const longestPassage = tailLength / minCopies;

/** Only exact copies count, so a list of similar items does not. */
export function endsInRepetition(text: string): boolean {
  const tail = text.slice(-tailLength);
  if (tail.length < tailLength) return false;
  for (let length = 1; length <= longestPassage; length++)
    if (tail.startsWith(tail.slice(length))) return true;
  return false;
}
