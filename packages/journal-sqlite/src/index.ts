export type { DeleteRunsOptions, ListRunsOptions, StoredJournal } from "@fullstop/loop/journal";
export { type SqliteJournal, type SqliteJournalOptions, sqliteJournal } from "./journal.ts";
