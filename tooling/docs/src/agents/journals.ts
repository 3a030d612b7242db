import type { Notes } from "./notes.ts";

interface JournalRow {
  /** The function that makes it, and how it is called. */
  readonly factory: string;
  readonly made: string;
  readonly before?: readonly [imports: string, code: string];
  readonly after?: string;
  readonly mistake: string;
}

const journalRows: Readonly<Record<string, JournalRow>> = {
  file: {
    factory: "fileJournal",
    made: 'fileJournal("order-7.jsonl")',
    mistake:
      "One file for several processes. Use a file for each run, or `@fullstop/journal-sqlite`.",
  },
  sqlite: {
    factory: "sqliteJournal",
    made: 'sqliteJournal("runs.db")',
    after: "await store.close();\n",
    mistake:
      "A file on a network share: SQLite's WAL does not work there. Use a local disk. In a Durable Object of Cloudflare, use `durableObjectJournal(ctx.storage)` of `@fullstop/journal-sqlite/durable-object`.",
  },
  postgres: {
    factory: "postgresJournal",
    made: "postgresJournal(pool)",
    before: [
      'import { Pool } from "pg";\n',
      'const pool = new Pool({ connectionString: process.env["DATABASE_URL"] });\n',
    ],
    after: "await pool.end();\n",
    mistake:
      "Ending the pool while a run goes on. The journal does not end it: the program does, after its runs.",
  },
};

function journalNotesOf(name: string, row: JournalRow): Notes {
  const { factory, made, before: [imports, code] = ["", ""], after = "", mistake } = row;
  const ts = `import { ${factory} } from "@fullstop/journal-${name}";
import { run } from "@fullstop/loop";
import { openai } from "@fullstop/provider-openai";
${imports}
${code}const store = ${made};
const journal = { store, runId: "order-7" };
console.log(await run({ adapter: openai("gpt-5.5"), prompt: "Refund order 7.", journal }).text());
${after}`.trimEnd();
  return {
    entry: `\`${factory}\` of \`@fullstop/journal-${name}\` is the \`store\` of the option \`journal\` of \`run\`.`,
    example: { ts },
    mistakes: [
      "A random `runId`: after a crash it finds nothing. Use the id of the task, and the same options.",
      "A tool with effects that does not pass `idempotencyKey` of its context on, or one that may be repeated without `idempotent: true`.",
      mistake,
    ],
  };
}

/** By the folder of the package. */
export const journalNotes: Readonly<Record<string, Notes>> = Object.fromEntries(
  Object.entries(journalRows).map(([name, row]) => [`journal-${name}`, journalNotesOf(name, row)]),
);
