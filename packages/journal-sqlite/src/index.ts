export type { DeleteRunsOptions, ListRunsOptions } from "@fullstop/loop/journal";
export { type SqliteJournal, type SqliteJournalOptions, sqliteJournal } from "./journal.ts";
export type { StoredJournal } from "./stored-journal.ts";
