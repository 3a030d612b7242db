import {
  type Evidence,
  listReferences,
  type PageSubject,
  type Protocol,
  pageOf,
  type ReplySources,
} from "../reference.ts";
import sources from "./sources.json" with { type: "json" };

/**
 * What shows that replies are sent, by the ids of their scripts: the evidence, and the references.
 * A text is a page of the vendor, by its subject.
 */
type SourceTable = Readonly<
  Record<string, readonly [Evidence, ...(PageSubject | Readonly<Record<string, string>>)[]]>
>;

const sourceTables = sources as unknown as Readonly<
  Record<Protocol | "every protocol", SourceTable>
>;

/** The sources of the replies that a wire sends to loops and agents. Each is about this protocol. */
export const sourcesOf = (wire: Protocol): ReplySources =>
  Object.fromEntries(
    Object.entries({ ...sourceTables["every protocol"], ...sourceTables[wire] }).flatMap(
      ([ids, [evidence, ...about]]) => {
        const references = about
          .flatMap((one) => (typeof one === "string" ? pageOf(one, wire) : listReferences(one)))
          .map((one) => ({ ...one, wire }));
        return ids.split(", ").map((id) => [id, { evidence, references }]);
      },
    ),
  );
