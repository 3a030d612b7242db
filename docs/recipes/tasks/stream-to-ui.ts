import { type Message, run } from "@fullstop/loop";
import { openai } from "@fullstop/provider-openai";

/** A route handler: server-sent events. A reader that leaves aborts the run. */
export async function POST(request: Request): Promise<Response> {
  const messages = (await request.json()) as Message[];
  const agent = run({ adapter: openai("gpt-5.5"), messages, signal: request.signal });
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    start: async (controller) => {
      const send = (data: object): void =>
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(data)}\n\n`));
      for await (const event of agent) {
        if (event.type === "text") send({ text: event.text });
        // `kept: false`: the page removes the text since the last turn.
        if (event.type === "turn") send({ kept: event.kept });
      }
      send({ status: (await agent.outcome()).status });
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
