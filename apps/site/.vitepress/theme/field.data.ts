import { readField } from "@tooling/docs/field";
import {
  countHarm,
  dayOf,
  harmColumns,
  harmedConfigurations,
  leakClause,
  leakColumn,
  shownSystems,
} from "@tooling/docs/field-tables";
import { systemFile } from "../../src/documents.ts";

/** A row of the table: a system, or one of its configurations. */
export interface FieldRow {
  readonly name: string;
  readonly language: string;
  readonly version: string;
  readonly measured: string;
  /** Absent for a system. */
  readonly protocol?: string;
  /** The page of its system, from the root of the site. */
  readonly page: string;
  /** In the order of `columns`: how often it happened, and where the evidence is. */
  readonly harms: readonly { readonly text: string; readonly anchor: string }[];
}
export interface FieldData {
  readonly columns: readonly string[];
  readonly systems: readonly FieldRow[];
  readonly configurations: readonly FieldRow[];
}

declare const data: FieldData;

export { data };

const columns: Readonly<Record<string, string>> = { ...harmColumns, [leakColumn]: leakClause };

/** The verdicts of the field report, read when the site is built. */
function load(): FieldData {
  const shown = shownSystems(readField());
  const rows = shown.map((system) => {
    const { title, language = "–", version = "–", name, subjects } = system;
    const page = systemFile(name).replace(/\.md$/, ".html");
    const about = { language, version, measured: dayOf(system), page };
    const harmsOf = (textOf: (clause: string) => string): FieldRow["harms"] =>
      Object.values(columns).map((clause) => {
        const text = textOf(clause);
        return { text, anchor: /^[1-9]/.test(text) ? clause.replace(".", "") : "verdicts" };
      });
    return {
      system: {
        ...about,
        name: title,
        harms: harmsOf((clause) => harmedConfigurations(subjects, clause)),
      },
      configurations: subjects.map((subject) => ({
        ...about,
        name: subject.name,
        protocol: subject.wire,
        harms: harmsOf((clause) => countHarm(subject, clause)),
      })),
    };
  });
  return {
    columns: Object.keys(columns),
    systems: rows.map(({ system }) => system),
    configurations: rows.flatMap(({ configurations }) => configurations),
  };
}

export default { load };
