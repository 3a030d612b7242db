export interface Tables {
  readonly schemaName: string;
  readonly schema: string;
  readonly runs: string;
  readonly steps: string;
  readonly migrations: string;
  readonly fences: string;
}

/** PostgreSQL cuts longer names without an error, so two schemas could become one. */
const longestName = 63;

/** @throws TypeError if PostgreSQL cannot have such a schema. */
export function nameTables(schema: string): Tables {
  const bytes = new TextEncoder().encode(schema).length;
  if (bytes === 0 || bytes > longestName || schema.includes("\0"))
    throw new TypeError(
      `\`schema\` is ${JSON.stringify(schema)}. Give a name of 1 to ${longestName} bytes without U+0000.`,
    );
  const within = (name: string): string => `${quoteName(schema)}.${name}`;
  return {
    schemaName: schema,
    schema: quoteName(schema),
    runs: within("journal_runs"),
    steps: within("journal_steps"),
    migrations: within("journal_migrations"),
    fences: within("journal_fences"),
  };
}

/** A name between double quotes can have any character. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
/** A text constant. In `E''`, a backslash is doubled with each setting of the server. */
export const quoteText = (text: string): string =>
  `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
