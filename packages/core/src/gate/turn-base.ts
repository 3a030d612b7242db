import type { Turn } from "../contract/turn.ts";

type SharedMember =
  | "native"
  | "text"
  | "usage"
  | "requestId"
  | "responseId"
  | "responseModel"
  | "sideEffects"
  | "rules";
export type SharedMembers = Pick<Turn, SharedMember>;

export const turnBase = ({
  native,
  text,
  usage,
  requestId,
  responseId,
  responseModel,
  sideEffects,
  rules,
}: { readonly [Name in keyof SharedMembers]: SharedMembers[Name] | undefined } & Pick<
  SharedMembers,
  "text" | "usage"
>): SharedMembers => ({
  ...(native && { native }),
  text,
  usage,
  ...(requestId !== undefined && { requestId }),
  ...(responseId !== undefined && { responseId }),
  ...(responseModel !== undefined && { responseModel }),
  ...(sideEffects && { sideEffects }),
  ...(rules && { rules }),
});
