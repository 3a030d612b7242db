export { type PostgresOptions, startPostgres } from "./postgres.ts";
export { type RestateOptions, type RestateService, startRestate } from "./restate.ts";
export { MissingServiceError, type Service } from "./service.ts";
