import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { StopReason } from "@fullstop/core";
import type { Claim, StopTable } from "@fullstop/core/adapter";
import { root } from "./blocks.ts";
import { textTable } from "./markdown.ts";

/** The stop table of one protocol, with the comments of its source. */
export interface Stops {
  /** `openai/chat`: the provider, and the protocol if it has several. */
  readonly protocol: string;
  readonly package: string;
  readonly table: StopTable;
  readonly notes: ReadonlyMap<string, string>;
  /** The pages of the vendor that the table names. */
  readonly sources: readonly string[];
}

/** The tables of all providers except the mock, whose native stop reasons are the shared ones. */
export const stopTables: readonly Stops[] = await Promise.all(
  globSync("packages/provider-*/src/**/stops.ts", {
    cwd: root,
    exclude: ["packages/provider-mock/**"],
  })
    .sort()
    .map(async (file): Promise<Stops> => {
      const [, folder = "", inside] =
        /^packages\/([^/]+)\/src\/(?:(.+)\/)?stops\.ts$/.exec(file) ?? [];
      const provider = folder.replace("provider-", "");
      return {
        protocol: inside === undefined ? provider : `${provider}/${inside}`,
        package: folder,
        table: await importTable(join(root, file)),
        ...commentsOf(join(root, file)),
      };
    }),
);

/** A table is called `stops`, or `<protocol>Stops` if the provider has several protocols. */
async function importTable(file: string): Promise<StopTable> {
  const exported = Object.entries((await import(file)) as Readonly<Record<string, StopTable>>);
  const table = exported.find(([name]) => name === "stops" || name.endsWith("Stops"))?.[1];
  if (table === undefined) throw new Error(`${file} exports no stop table.`);
  return table;
}

/** The comments above the rows of a table, by native stop reason, and the pages in the others. */
function commentsOf(file: string): Pick<Stops, "notes" | "sources"> {
  const comments = [
    ...readFileSync(file, "utf8").matchAll(/\/\*\*((?:(?!\*\/).)+)\*\/\s+(?:("?)([\w:-]+)\2:)?/gs),
  ].map(([, text = "", , native]) => ({
    native,
    text: text.replaceAll(/\s+(?:\* )?/g, " ").trim(),
  }));
  return {
    notes: new Map(
      comments.flatMap(({ native, text }) => (native === undefined ? [] : [[native, text]])),
    ),
    sources: comments.flatMap(({ native, text }) =>
      native === undefined ? (text.match(/https:\/\/\S+[^\s.]/g) ?? []) : [],
    ),
  };
}

const reasonOf = (claim: Claim): string => {
  if (claim === null) return "not an end";
  const { stop, calls, error } =
    typeof claim === "string" ? { stop: claim } : { calls: undefined, error: undefined, ...claim };
  return [
    `\`${stop}\``,
    ...(calls === "never" ? ["no call runs"] : []),
    ...(error === undefined ? [] : [`as \`${error}\``]),
  ].join(", ");
};

/** For the page of a provider: each native stop reason, the shared one, and the comment. */
export const nativeStopsOf = ({ table, notes, sources }: Stops): string => {
  const rows = Object.entries(table).map(([native, claim]) => [
    `\`${native}\``,
    reasonOf(claim),
    notes.get(native) ?? "",
  ]);
  const from = sources.map((source) => `<${source}>`).join(", ");
  return `${textTable(["native stop reason", "shared stop reason", ""], rows)}\n\nSource: ${from}.`;
};

const claimed = (claim: Claim): StopReason | undefined =>
  claim === null || typeof claim === "string" ? (claim ?? undefined) : claim.stop;

/** The native stop reasons of all protocols, in a row for each shared one. */
export function stopMatrix(): string {
  const rows = Object.values(StopReason).map((reason) => [
    `\`${reason}\``,
    ...stopTables.map(({ table }) =>
      Object.entries(table)
        .filter(([, claim]) => claimed(claim) === reason)
        .map(([native]) => `\`${native}\``)
        .join(" "),
    ),
  ]);
  const sources = stopTables.map((stops) =>
    stops.sources.map((source) => `[the vendor's page](${source})`).join(", "),
  );
  return textTable(
    ["", ...stopTables.map(({ protocol }) => `\`${protocol}\``)],
    [...rows.filter((cells) => cells.slice(1).some((cell) => cell !== "")), ["source", ...sources]],
  );
}
