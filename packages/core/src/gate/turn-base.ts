import type { Turn } from "../contract/turn.ts";

const sharedMembers = [
  "native",
  "text",
  "usage",
  "requestId",
  "responseId",
  "responseModel",
  "sideEffects",
  "rules",
] as const;
export type SharedMembers = Pick<Turn, (typeof sharedMembers)[number]>;

/** The members that have a value. */
export const turnBase = (
  given: Pick<SharedMembers, "text" | "usage"> & {
    readonly [Name in keyof SharedMembers]: SharedMembers[Name] | undefined;
  },
): SharedMembers =>
  Object.fromEntries(
    sharedMembers.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  ) as unknown as SharedMembers;
