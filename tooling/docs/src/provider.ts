import type Anthropic from "@anthropic-ai/sdk";
import { type Serving, serve } from "@fullstop/conformance/server";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";

/** Calls the first tool once, with `"Oslo"` for every property. Then answers with a text. */
function replyTo({ messages, tools }: Anthropic.MessageCreateParams): readonly string[] {
  const tool = tools?.find((one) => "input_schema" in one);
  if (tool === undefined || messages.length > 1)
    return frames([{ text: "Take a coat." }], "end_turn");
  const input = Object.fromEntries(
    Object.keys(tool.input_schema.properties ?? {}).map((key) => [key, "Oslo"]),
  );
  return frames([{ name: tool.name, id: "toolu_1", input }], "tool_use");
}

function frames(
  blocks: Parameters<typeof anthropicWire.frames>[0]["blocks"],
  stop: string,
): readonly string[] {
  const { upToTerminal, after = [] } = anthropicWire.frames({ blocks, stop, output: 10 });
  return [...upToTerminal, ...after];
}

/**
 * Starts a provider on the loopback interface, so that the examples of the documents can run
 * unchanged.
 */
export const startProvider = (): Promise<Serving> =>
  serve(({ body }) => ({
    chunks: replyTo(JSON.parse(body)).map((data) => new TextEncoder().encode(`data: ${data}\n\n`)),
  }));
