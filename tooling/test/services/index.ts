export { findPrograms } from "./find-program.ts";
export { findFreePort } from "./free-port.ts";
export { type PostgresOptions, startPostgres } from "./postgres.ts";
export { type RestateOptions, type RestateService, startRestate } from "./restate.ts";
export { clearRestateState } from "./restate-state.ts";
export { serve } from "./serve.ts";
export { MissingServiceError, type Service } from "./service.ts";
export { startTemporal, type TemporalService } from "./temporal.ts";
export { miniflareVersion, startWorkerd, type Worker, type WorkerOptions } from "./workerd.ts";
