import { createView, type ReplyView } from "@fullstop/inspect/view";
import { protocols } from "../reply/protocols.ts";
import type { Judged } from "../reply/read-reply.ts";
import type { Scene } from "./state.ts";

/** Where all events of the page belong. */
const position = { runId: "playground", path: [], turnNumber: 1, at: 0 } as const;

/** The reply as the inspector shows it. */
export function replyView({ turn, previews, natives }: Judged, scene: Scene): ReplyView {
  const { provider, protocol, model } = protocols[scene.protocol].reader;
  const { tools } = scene.whole.request;
  const builder = createView();
  builder.add({
    ...position,
    type: "request",
    adapter: { provider, protocol, model },
    maxTokens: scene.cap,
    cap: scene.cap,
    effort: undefined,
    server: undefined,
    attempt: 1,
    reason: undefined,
  });
  const request = { messages: [], ...(tools && { tools }) };
  builder.add({ ...position, type: "prompt", request });
  for (const preview of previews) builder.add({ ...position, ...preview });
  builder.add({ ...position, type: "chunk", natives });
  builder.add({ ...position, type: "turn", turn, kept: true });
  const [reply] = builder.view().runs[0]?.turns[0]?.replies ?? [];
  if (reply === undefined) throw new Error("The view has no reply.");
  return reply;
}
