import { type Message, run } from "@fullstop/loop";
import { openai } from "@fullstop/provider-openai";
import { sseResponse } from "@fullstop/ui";

/** A route handler: server-sent events. A reader that leaves aborts the run. */
export async function POST(request: Request): Promise<Response> {
  const messages = (await request.json()) as Message[];
  // After a `turn` with `kept: false` the page removes the text since the turn before.
  return sseResponse(run({ adapter: openai("gpt-5.5"), messages }));
}
