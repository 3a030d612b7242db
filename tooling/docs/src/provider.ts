import type Anthropic from "@anthropic-ai/sdk";
import { type Serving, serve } from "@fullstop/conformance/server";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";

/** Calls the first tool it is offered, once, with `"Oslo"` for every property; then answers in a sentence. */
function replyTo({ messages, tools }: Anthropic.MessageCreateParams): readonly string[] {
  const offered = tools?.find((tool) => "input_schema" in tool);
  if (offered === undefined || messages.length > 1)
    return frames([{ text: "Take a coat." }], "end_turn");
  const input = Object.fromEntries(
    Object.keys(offered.input_schema.properties ?? {}).map((key) => [key, "Oslo"]),
  );
  return frames([{ name: offered.name, id: "toolu_1", input }], "tool_use");
}

function frames(
  blocks: Parameters<typeof anthropicWire.frames>[0]["blocks"],
  stop: string,
): readonly string[] {
  const { upToTerminal, after = [] } = anthropicWire.frames({ blocks, stop, output: 10 });
  return [...upToTerminal, ...after];
}

/** A provider on the loopback interface, so that the documents' examples can be run as they stand. */
export const startProvider = (): Promise<Serving> =>
  serve(({ body }) => ({
    chunks: replyTo(JSON.parse(body)).map((data) => new TextEncoder().encode(`data: ${data}\n\n`)),
  }));
