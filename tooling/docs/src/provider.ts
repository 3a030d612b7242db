import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type Anthropic from "@anthropic-ai/sdk";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";

export interface Provider extends AsyncDisposable {
  readonly url: string;
}

/** Calls the first tool it is offered, once, with `"Oslo"` for every property; then answers in a sentence. */
function replyTo({ messages, tools }: Anthropic.MessageCreateParams): readonly string[] {
  const offered = tools?.find((tool) => "input_schema" in tool);
  if (offered === undefined || messages.length > 1) return frames([{ text: "Take a coat." }], "end_turn");
  const input = Object.fromEntries(Object.keys(offered.input_schema.properties ?? {}).map((key) => [key, "Oslo"]));
  return frames([{ name: offered.name, id: "toolu_1", input }], "tool_use");
}

function frames(blocks: Parameters<typeof anthropicWire.frames>[0]["blocks"], stop: string): readonly string[] {
  const { upToTerminal, after = [] } = anthropicWire.frames({ blocks, stop, output: 10 });
  return [...upToTerminal, ...after];
}

/** A provider on the loopback interface, so that the documents' examples can be run as they stand. */
export async function startProvider(): Promise<Provider> {
  const server = createServer(async (request, response) => {
    const params: Anthropic.MessageCreateParams = JSON.parse(await text(request));
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(
      replyTo(params)
        .map((data) => `data: ${data}\n\n`)
        .join(""),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
