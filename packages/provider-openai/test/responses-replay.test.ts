import { type Message, readTurn } from "@fullstop/core";
import {
  call,
  callEvents,
  completed,
  created,
  done,
  type Event,
  ended,
  message,
  messageEvents,
  reasoning,
  reasoningEvents,
  reply,
} from "@tooling/test/openai-responses";
import { describe, expect, test } from "vitest";
import { serve } from "./responses-server.ts";

const user: Message = { role: "user", content: "Go." };
/** The items that the API gets back of a reply. */
async function replayed(
  events: readonly Event[],
  store = false,
): Promise<readonly Record<string, unknown>[]> {
  const server = serve(events, reply(messageEvents(0, "ok")));
  const turn = await readTurn(server.adapter({ params: { store } }), { messages: [user] });
  const results = turn.calls.map(
    ({ id, name }) => ({ type: "tool-result", id, name, content: "ok" }) as const,
  );
  const replied: Message[] = turn.message === undefined ? [] : [turn.message];
  const next: Message = results.length > 0 ? { role: "tool", content: results } : user;
  await readTurn(server.adapter({ params: { store } }), { messages: [user, ...replied, next] });
  return server.requests[1]?.body.input.slice(1, results.length > 0 ? undefined : -1);
}
const readCall = call("read", '{"path":"a"}');
const readParam = {
  type: "function_call",
  call_id: "call_read",
  name: "read",
  arguments: '{"path":"a"}',
};
const readOutput = { type: "function_call_output", call_id: "call_read", output: "ok" };

describe("items go back to the API as it sent them", () => {
  test("reasoning goes back unchanged, with the id of the call after it", async () => {
    const thought = reasoning("hm", { status: "completed", x_later: 1 });
    expect(
      await replayed(reply(reasoningEvents(0, thought, "hm"), callEvents(1, readCall))),
    ).toEqual([thought, { ...readParam, id: "fc_read" }, readOutput]);
  });
  test("a call without reasoning goes back without its id", async () => {
    expect(await replayed(reply(callEvents(0, readCall)))).toEqual([readParam, readOutput]);
  });
  test("reasoning that the API cannot read is left out with the id of its call, unless the API stores items", async () => {
    const thought = reasoning("hm", { encrypted_content: null });
    const events = reply(reasoningEvents(0, thought, "hm"), callEvents(1, readCall));
    expect(await replayed(events)).toEqual([readParam, readOutput]);
    expect(await replayed(events, true)).toEqual([
      thought,
      { ...readParam, id: "fc_read" },
      readOutput,
    ]);
  });
  test("reasoning takes its encrypted content from the complete response, if its own event had none", async () => {
    const early = reasoning("hm", { encrypted_content: null });
    const late = reasoning("hm", { id: "rs_late", encrypted_content: "late" });
    const events = [
      created,
      ...reasoningEvents(0, early, "hm"),
      ...callEvents(1, readCall),
      ended("completed", { output: [late, readCall] }),
    ];
    expect((await replayed(events))[0]).toEqual(late);
    const other = reasoning("hm", { encrypted_content: "other" });
    const kept = [
      created,
      ...reasoningEvents(0, reasoning("hm"), "hm"),
      ...callEvents(1, readCall),
      ended("completed", { output: [other, readCall] }),
    ];
    expect((await replayed(kept))[0]).toEqual(reasoning("hm"));
  });
  test("two adjacent reasoning items stay two", async () => {
    const two = reasoning("so", { id: "rs_2" });
    expect(
      (
        await replayed(
          reply(
            reasoningEvents(0, reasoning("hm"), "hm"),
            reasoningEvents(1, two, "so"),
            callEvents(2, readCall),
          ),
        )
      ).slice(0, 2),
    ).toEqual([reasoning("hm"), two]);
  });
  test("reasoning that is done after other content goes back after it", async () => {
    const [begun, piece, whole] = reasoningEvents(0, reasoning("hm"), "hm") as [
      Event,
      Event,
      Event,
    ];
    const events = [
      created,
      begun,
      piece,
      ...messageEvents(1, "So."),
      whole,
      ...callEvents(2, readCall),
      completed,
    ];
    expect((await replayed(events)).map(({ type }) => type)).toEqual([
      "message",
      "reasoning",
      "function_call",
      "function_call_output",
    ]);
  });
  test("reasoning that is incomplete, or the last item, is left out", async () => {
    const half = reasoning("hm", { status: "incomplete" });
    expect(await replayed(reply(reasoningEvents(0, half, "hm"), callEvents(1, readCall)))).toEqual([
      readParam,
      readOutput,
    ]);
    const cut = ended("incomplete", { incomplete_details: { reason: "max_output_tokens" } });
    const textItem = {
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text: "So.", annotations: [] }],
    };
    expect(
      await replayed([
        created,
        ...messageEvents(0, "So."),
        ...reasoningEvents(1, reasoning("hm"), "hm"),
        cut,
      ]),
    ).toEqual([textItem]);
  });
  test("a message goes back with its phase and its citations", async () => {
    const citation = {
      type: "url_citation",
      url: "https://example.com",
      title: "E",
      start_index: 0,
      end_index: 2,
    };
    const cited = message("Yes.", {
      phase: "final_answer",
      content: [{ type: "output_text", text: "Yes.", annotations: [citation] }],
    });
    const note = message("Hm.", { phase: "commentary" });
    expect(await replayed(reply([done(0, note)], [done(1, cited)]))).toEqual([
      {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "Hm.", annotations: [] }],
        phase: "commentary",
      },
      {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "Yes.", annotations: [citation] }],
        phase: "final_answer",
      },
    ]);
  });
  test("a call goes back with its caller and its namespace; its result repeats the caller", async () => {
    const caller = { type: "program", caller_id: "call_p" };
    const program = {
      type: "program",
      id: "prog_1",
      call_id: "call_p",
      code: "read()",
      fingerprint: "f",
    };
    const item = { ...readCall, caller, namespace: "files" };
    expect(await replayed(reply([done(0, program)], callEvents(1, item)))).toEqual([
      program,
      { ...readParam, caller, namespace: "files" },
      { ...readOutput, caller },
    ]);
  });
  test("items of the server and of new types go back if they are complete", async () => {
    const search = {
      type: "web_search_call",
      id: "ws_1",
      status: "completed",
      action: { type: "search", query: "x" },
    };
    const broken = {
      type: "code_interpreter_call",
      id: "ci_1",
      status: "failed",
      code: "x",
      outputs: null,
    };
    const fresh = { type: "hologram", depth: { of: 3 } };
    const half = { ...search, status: "searching" };
    expect(
      await replayed(
        reply(
          [done(0, search), done(1, broken), done(2, fresh), done(3, half)],
          callEvents(4, readCall),
        ),
      ),
    ).toEqual([search, broken, fresh, readParam, readOutput]);
  });
});
