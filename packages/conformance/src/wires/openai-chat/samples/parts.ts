import type { ReplyCall, Fixture } from "../../../wire.ts";
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
export const runs = (...calls: readonly ReplyCall[]): Fixture["turn"] => ({
  stopReason: "tool-use",
  calls: calls.map(({ name, input }) => ({ name, input })),
});
export const nothing = (stopReason: Fixture["turn"]["stopReason"]): Fixture["turn"] => ({
  stopReason,
  calls: [],
});
