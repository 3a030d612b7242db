import type { ReplyCall, Sample } from "../../../wire.ts";
import { type Chunk, call } from "../frames.ts";

export const read: ReplyCall = {
  id: "call_Read0001",
  name: "read",
  input: { path: "/srv/notes.txt" },
};
export const write: ReplyCall = {
  id: "call_Write002",
  name: "write",
  input: { path: "/srv/out.txt", content: "one" },
};
export const readArguments: string = JSON.stringify(read.input);
export const readCall: readonly Chunk[] = call(0, read);
export const runs = (...calls: readonly ReplyCall[]): Sample["turn"] => ({
  stopReason: "tool-use",
  calls: calls.map(({ name, input }) => ({ name, input })),
});
export const nothing = (stopReason: Sample["turn"]["stopReason"]): Sample["turn"] => ({
  stopReason,
  calls: [],
});
