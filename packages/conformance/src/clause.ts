import { nearest } from "@fullstop/core/adapter";
import type { FramingName } from "./framing/framing.ts";
import type { GuardHarness } from "./guard/harness.ts";
import type { Check } from "./harness/check.ts";
import type { Harness } from "./harness/harness.ts";
import type { RunHarness } from "./loop/harness.ts";
import type { ScriptContext } from "./loop/script.ts";
import {
  listReferences,
  type PageSubject,
  pagesAbout,
  type Reference,
  type TabledReferences,
} from "./reference.ts";
import type { AdapterSubject, LoopSubject } from "./subject.ts";

/** How a clause is asked of one kind of subject. */
export interface Question<Asked> {
  /** Why this subject cannot be asked, such as what its wire lacks. `undefined` if it can. */
  whyNotAsked?(harness: Asked): string | undefined;
  /** Tries everything that the clause is about. */
  check(harness: Asked): AsyncIterable<Check>;
  /** The ids of its checks. Absent if they have none. */
  checkIds?(context: ScriptContext): readonly string[];
}

/** What reports show of a clause. */
export interface ClauseText {
  /** Its family and its name: `stop.cut`. An id never changes its meaning. */
  readonly id: string;
  /** One sentence. */
  readonly rule: string;
  readonly level: "must" | "should";
  readonly references: readonly Reference[];
}

/** A subject that is broken in one way. The clause that has it must catch it. */
export interface Mutant<Broken = AdapterSubject, Sound = AdapterSubject> {
  /** What it does wrong, as systems in the field do: a phrase without a subject. */
  readonly wrong: string;
  /** It can only break subjects whose wire has this framing. Absent if it can break every subject. */
  readonly framing?: FramingName;
  subject(sound: Sound): Broken;
}

/** A clause with the question that one kind of subject is asked. */
export interface ClauseFor<Harness> extends ClauseText {
  readonly question: Question<Harness>;
}

/** A rule about another kind of subject, such as a journal or a gateway. */
export interface ClauseAbout<Harness, Sound> extends ClauseFor<Harness> {
  /** Broken subjects that it catches. */
  readonly mutants: readonly Mutant<Sound, Sound>[];
}

/** Broken subjects by what they do wrong: a phrase without a subject. */
type MutantTable<Broken, Sound> = Readonly<
  Record<string, Mutant<Broken, Sound>["subject"] | Omit<Mutant<Broken, Sound>, "wrong">>
>;
type Tabled<Members> = {
  readonly [Name in keyof Members]: Members[Name] extends
    | readonly Mutant<infer Broken, infer Sound>[]
    | undefined
    ? MutantTable<Broken, Sound>
    : Name extends "references"
      ? TabledReferences
      : Name extends "forLoops"
        ? Tabled<Members[Name]>
        : Members[Name];
};
/** Clauses by their ids, each with its mutants by what they do wrong. A clause without a level is a must. */
export type TableOf<Item extends ClauseText> = Readonly<
  Record<string, Tabled<Omit<Item, "id" | "level">> & { readonly level?: "should" }>
>;

/** A clause of a table, as far as it is read here. */
interface TabledClause {
  readonly references: TabledReferences;
  readonly forLoops?: Partial<TabledClause>;
  readonly mutants?: MutantTable<unknown, never>;
  readonly loopMutants?: MutantTable<unknown, never>;
}

const listMutants = (table: MutantTable<unknown, never>): readonly Mutant<unknown, never>[] =>
  Object.entries(table).map(([wrong, mutant]) =>
    typeof mutant === "function" ? { wrong, subject: mutant } : { wrong, ...mutant },
  );

export const clausesIn = <Item extends ClauseText>(
  tables: readonly TableOf<Item>[],
): readonly Item[] =>
  tables.flatMap((table) =>
    Object.entries(table as Readonly<Record<string, TabledClause>>).map(
      ([id, clause]) => ({ id, level: "must", ...withLists(clause) }) as unknown as Item,
    ),
  );

const withLists = ({
  references,
  forLoops,
  mutants,
  loopMutants,
  ...clause
}: Partial<TabledClause>): object => ({
  ...clause,
  ...(references && { references: listReferences(references) }),
  ...(forLoops && { forLoops: withLists(forLoops) }),
  ...(mutants && { mutants: listMutants(mutants) }),
  ...(loopMutants && { loopMutants: listMutants(loopMutants) }),
});

/** A rule, and how subjects are asked about it. */
export interface Clause extends ClauseText {
  /**
   * What differs if loops and agents are asked. Of an adapter the suite sees what it makes of a
   * reply, and of a loop only what it runs and sends.
   */
  readonly forLoops?: Partial<Omit<ClauseText, "id">> & {
    /** The subject of the vendors' pages that support the rule: each protocol has its own page. */
    readonly pages?: PageSubject;
  };
  /** How adapters are asked. Absent if the clause is about loops and agents only. */
  readonly adapter?: Question<Harness>;
  /** How loops and agents are asked. Absent if the clause is about adapters only. */
  readonly loop?: Question<RunHarness>;
  /** How the guard of an adapter is asked. Such a clause is about guards only. */
  readonly guard?: Question<GuardHarness>;
  /** Broken adapters that it catches; if it is asked of loops, also a loop around one of them. */
  readonly mutants?: readonly Mutant[];
  /** Broken loops that it catches. */
  readonly loopMutants?: readonly Mutant<LoopSubject>[];
}

/** The clause as loops and agents are asked it. */
export const textForLoops = ({ id, forLoops, ...clause }: Clause): ClauseText => ({
  id,
  rule: forLoops?.rule ?? clause.rule,
  level: forLoops?.level ?? clause.level,
  references: [
    ...(forLoops?.references ?? clause.references),
    ...(forLoops?.pages === undefined ? [] : pagesAbout(forLoops.pages)),
  ],
});

/** The text without the references that are about other protocols, if any are left. */
export function textForWire<Text extends ClauseText>(text: Text, wire: string): Text {
  const own = text.references.filter((one) => one.wire === undefined || one.wire === wire);
  return own.length === 0 ? text : { ...text, references: own };
}

/** Clauses about adapters, loops and guards by their ids. */
export type ClauseTable = TableOf<Clause>;

/** The name of a clause without its family: `cut` of `stop.cut`. */
const nameInFamily = (id: string): string => id.slice(id.indexOf(".") + 1);

/** The ids and the families that were probably meant. */
function suggestions(name: string, ids: readonly string[]): readonly string[] {
  const whole = nearest(name, [...ids, ...ids.map(familyOf)]);
  if (whole !== undefined) return [whole];
  const part = nearest(name, ids.map(nameInFamily));
  return ids.filter((id) => nameInFamily(id) === part).slice(0, 3);
}

/** The family of a clause: `stop` of `stop.cut`. */
export const familyOf = (id: string): string => id.slice(0, id.indexOf("."));

/** A clause or a family, and one check of the clause. */
export interface NamedCheck {
  /** `stop.words`, or a family. */
  readonly clause: string;
  /** The id of the check: `refusal` of `stop.words/refusal`. */
  readonly checkId?: string;
}

/** Splits the name of a check, `stop.words/refusal`. A clause or a family has no slash. */
export function splitCheck(name: string): NamedCheck {
  const slash = name.indexOf("/");
  return slash < 0
    ? { clause: name }
    : { clause: name.slice(0, slash), checkId: name.slice(slash + 1) };
}

/** The message for an unknown name of a clause. */
export function unknownClauseMessage(name: string, from: readonly ClauseText[]): string {
  const ids = from.map(({ id }) => id);
  const similar = suggestions(name, ids);
  const families = [...new Set(ids.map(familyOf))];
  const hint =
    similar.length > 0
      ? `Did you mean ${similar.join(" or ")}?`
      : `The families are ${families.join(", ")}.`;
  return `No clause is called "${name}". ${hint}`;
}

/**
 * The clauses that a name stands for: one (`stop.cut`), a family (`stop`), or all if there is no
 * name.
 * @throws Error if it stands for none.
 */
export function selectClauses<Item extends ClauseText>(
  name: string | undefined,
  from: readonly Item[],
): readonly Item[] {
  if (name === undefined) return from;
  const selected = from.filter(({ id }) => id === name || familyOf(id) === name);
  if (selected.length === 0) throw new Error(unknownClauseMessage(name, from));
  return selected;
}

/** A clause (`stop.cut`), a family (`stop`), one check of a clause, or several of these. */
export type Only = string | readonly string[] | undefined;

/** The clauses that `only` names, in their order, each with the one check of it that is named. */
export function selectChecks<Item extends ClauseText>(
  only: Only,
  from: readonly Item[],
): readonly (readonly [clause: Item, checkId: string | undefined])[] {
  if (only === undefined) return from.map((clause) => [clause, undefined]);
  const chosen = new Map<Item, string | undefined>();
  for (const name of [only].flat()) {
    const { clause: named, checkId } = splitCheck(name);
    for (const clause of selectClauses(named, from)) chosen.set(clause, checkId);
  }
  return from.flatMap((clause) => (chosen.has(clause) ? [[clause, chosen.get(clause)]] : []));
}
