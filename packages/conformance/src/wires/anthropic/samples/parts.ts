import type { ReplyCall, Fixture } from "../../../wire.ts";
import { type Block, toolUse } from "../frames.ts";

export const read: Pick<ReplyCall, "name" | "input"> = {
  name: "read",
  input: { path: "/srv/notes.txt" },
};
export const readUse: Block = toolUse("toolu_01Read", read.name, read.input);
export const runsRead: Fixture["turn"] = { stopReason: "tool-use", calls: [read] };
export const nothing = (stopReason: Fixture["turn"]["stopReason"]): Fixture["turn"] => ({
  stopReason,
  calls: [],
});

/** The result of the search `srvtoolu_0<n>`. */
export const search = (n: number): Block["start"] => ({
  type: "web_search_tool_result",
  tool_use_id: `srvtoolu_0${n}`,
  content: [
    {
      type: "web_search_result",
      url: "https://example.com/",
      title: "Example",
      encrypted_content: "EqQB",
      page_age: null,
    },
  ],
});
export const thought = (said: string, signature: string): object => ({
  type: "thinking",
  thinking: said,
  signature,
});
export const serverUse = (id: string, name: string, input: object): object => ({
  type: "server_tool_use",
  id,
  name,
  input,
});
