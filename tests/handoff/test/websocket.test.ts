import { inProcess } from "@fullstop/conformance";
import { answerEvents } from "@fullstop/conformance/server";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { type Message, readTurn } from "@fullstop/core";
import { openai } from "@fullstop/provider-openai";
import { responsesSocket } from "@fullstop/provider-openai-websocket";
import { afterAll, describe, expect, test } from "vitest";
// @boundaries-ignore only the tests of this provider have its server
import { bridge } from "../../../packages/provider-openai-websocket/test/bridge.ts";
import { type Conversation, type ReplyContent, startConversation } from "./conversation.ts";
import { callsOf, list, read, textOf, tidyTheNotes } from "./script.ts";
import { type Speaker, speakers } from "./speakers.ts";

/** The provider that answers the next request. */
let provider: typeof globalThis.fetch = globalThis.fetch;
const server = await bridge(
  () =>
    (...sent) =>
      provider(...sent),
);
const client = responsesSocket({ baseURL: server.url, apiKey: "key" });
afterAll(async () => {
  client.close();
  await server.close();
});

/**
 * Sends only the items that the server of the socket does not know. The server puts them behind
 * those that it knows, and the rules of the vendor are asked of the whole.
 */
const socket: Speaker = {
  wire: openaiResponsesWire,
  id: (turn, position) => `call_${"w".repeat(50)}_${turn}_${position}`,
  adapter({ fetch = globalThis.fetch }) {
    provider = fetch;
    return openai("gpt-5.5", { client });
  },
};
/** How many of the requests since `start` continue what the server has. */
const continued = (start: number): number =>
  server.received.slice(start).filter((body) => "previous_response_id" in body).length;

type Fields = Readonly<Record<string, unknown>>;
const inputOf = (body: string): readonly Fields[] =>
  (JSON.parse(body) as { readonly input: readonly Fields[] }).input;
/** What the items of a request say. The server's own have ids and a status, too. */
const saidBy = (items: readonly Fields[]): readonly unknown[] =>
  items.map(({ type, role, call_id: id, name, arguments: input, output, content }) => {
    const parts = Array.isArray(content) ? (content as readonly Fields[]) : [];
    return [type, role, id, name, input, output, parts.map(({ text }) => text)];
  });

/** The items of this conversation as they are sent over HTTP. */
async function sentWhole(messages: readonly Message[]): Promise<readonly Fields[]> {
  const host = inProcess();
  const { upToTerminal } = openaiResponsesWire.frames({ blocks: [], stop: "completed", output: 1 });
  host.answer(answerEvents(openaiResponsesWire, upToTerminal));
  await readTurn(openai("gpt-5.5", { apiKey: "key", ...host.endpoint }), { messages });
  return inputOf(host.received()?.body ?? "");
}

/** Asks over the socket: the server then has what a request over HTTP would have said. */
async function askSocket(talk: Conversation, reply: ReplyContent): Promise<void> {
  const messages = [...talk.messages];
  await talk.ask(socket, reply);
  expect(saidBy(inputOf(talk.lastRequest()))).toEqual(saidBy(await sentWhole(messages)));
}

describe("a conversation over a socket can change its provider at every turn", () => {
  test.for(Object.entries(speakers))("socket and %s", ([, other]) => tidyTheNotes(socket, other));
  test.for(Object.entries(speakers))("%s and socket", ([, other]) => tidyTheNotes(other, socket));

  test("socket and socket: what the server knows is not sent again", async () => {
    const start = server.received.length;
    await tidyTheNotes(socket, socket);
    expect([server.received.length - start, continued(start)]).toEqual([9, 6]);
  });

  test.for(Object.entries(speakers))(
    "the server has the whole conversation, with %s in the middle",
    async ([, other]) => {
      const talk = startConversation();
      const start = server.received.length;
      talk.addUserMessage("Tidy the notes.");
      await askSocket(talk, callsOf({ text: "I read them." }, read));
      await askSocket(talk, callsOf(list));
      await talk.ask(other, callsOf({ text: "I, too." }, read, list));
      await askSocket(talk, callsOf(read));
      await talk.ask(other, textOf("Half of it is done."));
      talk.addUserMessage("And the other half?");
      await askSocket(talk, textOf("Done."));
      expect(continued(start)).toBeGreaterThanOrEqual(1);
    },
  );

  test("two conversations over one client do not mix", async () => {
    const talks = ["Tidy the notes.", "Tidy the desk."].map((text) => {
      const talk = startConversation();
      talk.addUserMessage(text);
      return talk;
    });
    for (const reply of [callsOf(read), callsOf(list), textOf("Done.")])
      for (const talk of talks) await askSocket(talk, reply);
  });
});
