export type { DeleteRunsOptions } from "./delete-runs.ts";
export { type PostgresJournal, type PostgresJournalOptions, postgresJournal } from "./journal.ts";
export type { ListRunsOptions } from "./list-runs.ts";
export type { PostgresClient, PostgresPool } from "./query.ts";
