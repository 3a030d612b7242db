import { fileURLToPath } from "node:url";
import { recordingsIn } from "@fullstop/conformance/replay";
import type { ProtocolName } from "@fullstop/guard";
import { isFull } from "@tooling/test/full";
import { describe, expect, test } from "vitest";
import { openFront, openUpstream } from "./servers.ts";

/** The folder of each protocol's recorded replies, and a path on which it answers. */
const protocols: Readonly<Record<ProtocolName, readonly [folder: string, path: string]>> = {
  "anthropic-messages": ["anthropic", "/v1/messages"],
  "gemini-generate-content": ["gemini", "/v1beta/models/gemini:streamGenerateContent"],
  "gemini-interactions": ["gemini-interactions", "/v1beta/interactions"],
  "openai-chat": ["openai-chat", "/v1/chat/completions"],
  "openai-responses": ["openai-responses", "/v1/responses"],
};

describe.each(Object.entries(protocols))("recorded replies of %s", (protocol, [folder, path]) => {
  test("leave byte for byte if the guard passes them, and tell of a failure otherwise", async () => {
    const all = await recordingsIn(
      fileURLToPath(new URL(`../../../packages/conformance/fixtures/${folder}/`, import.meta.url)),
    );
    // The tests of the guard read each of them without a server.
    const recordings = all.filter((_, at) => isFull || at % 3 === 0);
    await using upstream = await openUpstream((response, { headers }) => {
      const recording = recordings[Number(headers["x-at"])];
      response.writeHead(200, { ...recording?.headers });
      response.end(Buffer.from(recording?.bytes ?? []));
    });
    const actions: string[] = [];
    await using gateway = await openFront(upstream, {
      onReply: (_, report) => {
        expect(report.protocol).toBe(protocol);
        actions.push(report.action);
      },
    });
    const passed: string[] = [];
    for (const [at, { file, bytes, expected }] of recordings.entries()) {
      const reply = await fetch(`${gateway.url}/up${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-at": String(at) },
        body: JSON.stringify({
          model: "m",
          max_tokens: expected?.maxTokens ?? 1024,
          messages: [],
          input: file,
          contents: [],
        }),
      });
      const body = await reply.bytes().catch(() => new Uint8Array());
      if (actions[at] !== "passed") continue;
      passed.push(file);
      expect(Buffer.compare(body, bytes) === 0, file).toBe(true);
    }
    expect(actions).toHaveLength(recordings.length);
    // About half of the replies did not finish.
    expect(passed.length).toBeGreaterThan(recordings.length / 5);
  });
});
