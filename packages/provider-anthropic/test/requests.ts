import { type Message, readTurn, type TurnRequest } from "@fullstop/core";
import type { Origin } from "@fullstop/core/adapter";
import type { AnthropicOptions } from "@fullstop/provider-anthropic";
import { assistantOf, user } from "@tooling/test/blocks";
import type { SentRequest } from "@tooling/test/fake-server";
import { reply, text } from "./events.ts";
import { serve } from "./server.ts";

const model = "claude-sonnet-5-5";
export const from: Origin = { provider: "anthropic", protocol: "anthropic-messages", model };
export const assistant: ReturnType<typeof assistantOf<Origin>> = assistantOf(from);

export async function sent(
  request: Partial<TurnRequest>,
  options?: AnthropicOptions,
  name: string = model,
): Promise<SentRequest["body"]> {
  const server = serve(reply("end_turn", text(0, "ok")));
  await readTurn(server.adapter(options, name), { messages: [user("Go.")], ...request });
  return server.requests[0]?.body;
}
export const messagesOf = async (...messages: readonly Message[]): Promise<SentRequest["body"]> =>
  (await sent({ messages })).messages;
