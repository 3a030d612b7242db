export type { DeleteRunsOptions, ListRunsOptions } from "@fullstop/loop/journal";
export { type PostgresJournal, type PostgresJournalOptions, postgresJournal } from "./journal.ts";
export type { PostgresClient, PostgresPool } from "./query.ts";
