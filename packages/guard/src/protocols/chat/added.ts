import { type Fields, fieldsOf } from "@fullstop/core/adapter";
import type { Edit, GrantedCall } from "../protocol.ts";
import { callEntry, legacyCall } from "./calls.ts";

export const addedDeltas = ({ calls, note }: Edit, isLegacy: boolean): readonly Fields[] => [
  ...(note === undefined ? [] : [{ content: note }]),
  ...calls.flatMap((call, index) =>
    isLegacy ? [{ function_call: legacyCall(call) }] : callDeltas(call, index),
  ),
];

/** A call as the API sends it: first its id and its name, then its input. */
function callDeltas(call: GrantedCall, index: number): readonly Fields[] {
  const { function: whole, custom, ...entry } = callEntry(call);
  const kind = custom === undefined ? "function" : "custom";
  const input = custom === undefined ? "arguments" : "input";
  const members = fieldsOf(custom ?? whole);
  return [
    { ...entry, [kind]: { ...members, [input]: "" } },
    { [kind]: { [input]: members[input] } },
  ].map((part) => ({ tool_calls: [{ index, ...part }] }));
}
