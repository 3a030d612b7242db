export type { DeleteRunsOptions } from "./delete-runs.ts";
export { type SqliteJournal, type SqliteJournalOptions, sqliteJournal } from "./journal.ts";
export type { ListRunsOptions } from "./list-runs.ts";
