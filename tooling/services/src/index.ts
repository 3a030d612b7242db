export { type PostgresOptions, startPostgres } from "./postgres.ts";
export { MissingServiceError, type Service } from "./service.ts";
