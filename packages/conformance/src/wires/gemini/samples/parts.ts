import type { ReplyCall, Fixture } from "../../../wire.ts";
import { call, type Part } from "../frames.ts";

export const read: Pick<ReplyCall, "name" | "input"> = {
  name: "read",
  input: { path: "/srv/notes.txt" },
};
export const list: Pick<ReplyCall, "name" | "input"> = { name: "list", input: { of: "b" } };
export const readCall: Part = call(read);
export const runsRead: Fixture["turn"] = { stopReason: "tool-use", calls: [read] };
export const runsBoth: Fixture["turn"] = { stopReason: "tool-use", calls: [read, list] };
export const nothing = (stopReason: Fixture["turn"]["stopReason"]): Fixture["turn"] => ({
  stopReason,
  calls: [],
});
