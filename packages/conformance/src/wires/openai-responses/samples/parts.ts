import type { Frames, ReplyCall, Fixture } from "../../../wire.ts";
import { reply } from "../frames.ts";
import { functionCall, type Item } from "../items.ts";

export const read: Pick<ReplyCall, "name" | "input"> = {
  name: "read",
  input: { path: "/srv/notes.txt" },
};
export const readCall: Item = functionCall({
  id: "call_read",
  name: "read",
  written: JSON.stringify(read.input),
});
export const runsRead: Fixture["turn"] = { stopReason: "tool-use", calls: [read] };
export const nothing = (stopReason: Fixture["turn"]["stopReason"]): Fixture["turn"] => ({
  stopReason,
  calls: [],
});

export const completed = (...items: readonly Item[]): Frames => reply(items, { stop: "completed" });
/** As gateways send it that keep nothing: the whole response comes without its output. */
export const completedEmpty = (...items: readonly Item[]): Frames =>
  reply(items, { stop: "completed", response: { output: [] } });
export const cut = (...items: readonly Item[]): Frames =>
  reply(items, { stop: "incomplete:max_output_tokens", output: 1024 });
