import type { RunEvent } from "@fullstop/loop";
import { recordScript, recordWith } from "./recordings.ts";

/** If a page runs any of this, `window.wasRun` is set. */
export const attack: string =
  '</script><script>window.wasRun = true</script><img src=x onerror="window.wasRun = true">' +
  "<!--<style>*{display:none}</style> javascript:window.wasRun=true &lt;b&gt;";
/** Escapes of terminals, marks of direction, characters without a width, half of a pair. */
export const invisible =
  "\u001b[31mred\u001b[0m \u202Egnp.exe\u202C a\u200Bb \u0000 \u2028 \uFEFF \u{E0041} \uD800 end";

/** Every text of a run is hostile: names, ids, inputs, texts, results. */
export async function recordHostile(): Promise<string> {
  const name = `tool${attack}${invisible}`;
  const { text } = await recordScript(
    [
      {
        text: `${attack} ${invisible}`,
        thinking: attack,
        calls: [
          { name: "look", id: `id${attack}`, input: { [attack]: invisible } },
          { name, id: "unknown", input: { text: attack } },
        ],
      },
      { calls: [{ name, inputText: `{"text":"${attack.replaceAll('"', "'")} \u202E \u200B` }] },
      { text: attack },
    ],
    { limits: { turns: 3 } },
  );
  return text;
}

const position = { runId: "large", path: [], turnNumber: 1 };

/** One reply of `count` frames, and an input of `bytes` bytes that is never closed. */
export function recordLarge(count: number, bytes: number): Promise<string> {
  const usage = { input: 1, output: 1 };
  const piece = `${"x".repeat(bytes / count - 1)}\n`;
  return recordWith((recorder) => {
    let at = 1_700_000_000_000;
    const tell = (event: object): void => {
      at += 1;
      recorder({ ...position, at, ...event } as unknown as RunEvent);
    };
    tell({
      type: "request",
      adapter: { provider: "mock", protocol: "mock", model: "mock" },
      maxTokens: undefined,
      cap: 10,
      effort: undefined,
      attempt: 1,
      reason: undefined,
    });
    tell({ type: "first-byte" });
    tell({ type: "tool-input-start", key: "0", name: "write_file" });
    for (let index = 0; index < count; index += 1) {
      tell({ type: "tool-input-delta", key: "0", text: piece });
      tell({ type: "chunk", natives: [{ index }] });
    }
    const withheld = [
      { id: "call_1", name: "write_file", inputText: piece.repeat(count), reason: "not-closed" },
    ];
    tell({
      type: "turn",
      kept: true,
      turn: { stopReason: "length", calls: [], withheld, text: "", usage, rules: [] },
    });
  });
}
