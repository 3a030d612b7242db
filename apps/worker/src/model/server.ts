import { type Answer, type Received, serve } from "@fullstop/conformance/server";
import { buildFrames, type Exchange, inputId, providers } from "fullstop/demo";
import { exchanges } from "./script.ts";

/** A server that plays the model. */
export interface ModelServer {
  readonly url: string;
  close(): Promise<void>;
}

/** How the model is played. */
export interface ModelOptions {
  /** Called before each reply, with its position in the script. The reply waits for it. */
  readonly beforeReply?: (position: number) => void | Promise<void>;
}

const { protocol } = providers.anthropic;

/**
 * Plays the model of the demo on the loopback. The reply depends on the conversation in the request,
 * so several runs and several workers can use it.
 */
export async function startModel({ beforeReply }: ModelOptions = {}): Promise<ModelServer> {
  /** The replies that were lost already. Each is lost once. */
  const dropped = new Set<number>();
  const { url, close } = await serve(async (received) => {
    const position = findPosition(received, dropped);
    const exchange = exchanges[position];
    if (exchange === undefined) return refuse("The script has no reply to this request.");
    await beforeReply?.(position);
    return play(exchange, position);
  });
  return { url, close };
}

/** The position of the reply to this request, or -1. */
function findPosition({ body }: Received, dropped: Set<number>): number {
  const request = JSON.parse(body) as Record<string, unknown>;
  const { cap, messages } = protocol.parseRequest(request);
  const sent = JSON.stringify(messages);
  const news = JSON.stringify(messages.slice(messages.findLastIndex(protocol.isFromModel) + 1));
  const last = exchanges.findLastIndex((_, position) => sent.includes(idOf(position)));
  const end = exchanges.findIndex(({ fault }, at) => at > last && fault === undefined);
  const open = exchanges.map((exchange, at) => ({ exchange, at })).slice(last + 1, end + 1);
  const noted = open.find(({ exchange: { requestContains: text } }) => text && news.includes(text));
  const next = open.find(({ exchange, at }) => {
    if (exchange.requestContains !== undefined || exchange.cap !== cap) return false;
    return exchange.fault?.kind !== "dropped" || !dropped.has(at);
  });
  const found = noted ?? next;
  if (found?.exchange.fault?.kind === "dropped") dropped.add(found.at);
  return found?.at ?? -1;
}

const idOf = (position: number): string => `"${inputId(position, 0, protocol)}"`;

const encoder = new TextEncoder();

function play(exchange: Exchange, position: number): Answer {
  const chunks = buildFrames(exchange, position, protocol).map((data) => {
    const { type } = JSON.parse(data) as { readonly type: string };
    return encoder.encode(`event: ${type}\ndata: ${data}\n\n`);
  });
  return { chunks, fault: exchange.fault?.kind === "dropped" ? "reset" : undefined };
}

const refuse = (message: string): Answer => ({
  status: 400,
  headers: { "content-type": "application/json" },
  chunks: [encoder.encode(JSON.stringify(protocol.badRequest(message)))],
});
