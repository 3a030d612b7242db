import { cutStep as step } from "@tooling/test/sample";
import { afterAll, expect, test } from "vitest";
import {
  bodyOf,
  callDelta,
  callOf,
  chunk,
  done,
  holdsCall,
  openDesk,
  opening,
  recordings,
} from "./chat.ts";

const desk = await openDesk();
afterAll(() => desk.close());

const eventStream = { "content-type": "text/event-stream" };
const withText = [
  opening,
  chunk({ content: "Reading." }),
  chunk(callDelta(0, "call_1", "/srv/a")),
  chunk({}, "tool_calls"),
  done,
].join("");
const body = bodyOf({ tool_calls: [callOf("call_1", "/srv/a")] }, "tool_calls");
const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const replies = [
  ...recordings.filter(({ file }) => file === "custom-call.sse"),
  { file: "text before a call", bytes: encode(withText), headers: eventStream },
  { file: "a body", bytes: encode(body), headers: { "content-type": "application/json" } },
];
const cuts = replies.flatMap(({ file, bytes, headers }) =>
  Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) => ({
    at: `${file}, byte ${index * step}`,
    bytes: bytes.subarray(0, index * step),
    headers,
  })),
);
type Cut = (typeof cuts)[number];

test.for([undefined, "reset"] as const)(
  `replies cut at ${cuts.length} bytes give out no part of a call, fault: %s`,
  async (fault) => {
    const leaks: string[] = [];
    const count = { finished: 0, unguarded: 0, errors: 0 };
    const ask = async ({ at, bytes, headers }: Cut): Promise<void> => {
      const { text, report } = await desk.ask({
        chunks: [bytes],
        headers,
        ...(fault && { fault }),
      });
      if (report.turn.stopReason === "tool-use") count.finished++;
      else if (holdsCall(text)) leaks.push(at);
      if (text.includes('"error":{')) count.errors++;
      if (holdsCall(new TextDecoder().decode(bytes))) count.unguarded++;
    };
    for (let at = 0; at < cuts.length; at += 64)
      await Promise.all(cuts.slice(at, at + 64).map(ask));
    expect(leaks).toEqual([]);
    expect(count.unguarded).toBeGreaterThan(1500 / step);
    expect(count.finished).toBeLessThan(count.unguarded / 2);
    expect(count.errors).toBeGreaterThan(count.unguarded / 2);
  },
);
