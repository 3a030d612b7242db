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
): SharedMembers => {
  const members: Record<string, unknown> = {};
  for (const name of sharedMembers) if (given[name] !== undefined) members[name] = given[name];
  return members as unknown as SharedMembers;
};
