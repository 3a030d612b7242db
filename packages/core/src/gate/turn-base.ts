import type { Turn } from "../contract/turn.ts";

type SharedMember = "native" | "text" | "usage" | "requestId" | "sideEffects" | "rules";
/** The members that all kinds of turns have. */
export type TurnBase = Pick<Turn, SharedMember>;

/** Picks these members, without those that are undefined. */
export const turnBase = ({
  native,
  text,
  usage,
  requestId,
  sideEffects,
  rules,
}: { readonly [Name in keyof TurnBase]: TurnBase[Name] | undefined } & Pick<
  TurnBase,
  "text" | "usage"
>): TurnBase => ({
  ...(native && { native }),
  text,
  usage,
  ...(requestId !== undefined && { requestId }),
  ...(sideEffects && { sideEffects }),
  ...(rules && { rules }),
});
