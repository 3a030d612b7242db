import { availableParallelism } from "node:os";

/**
 * Three for two cores: many tests wait for a process, a socket or a timer, and leave their core
 * idle. Vitest limits a percentage to the number of cores.
 */
export const maxWorkers: number = Math.ceil(availableParallelism() * 1.5);
/** For tests that start almost no programs, such as the sample of `pnpm test`. */
export const sampleWorkers: number = availableParallelism() * 2;
