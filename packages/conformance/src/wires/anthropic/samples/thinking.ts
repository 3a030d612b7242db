import type { Fixture } from "../../../wire.ts";
import { message, thinking, toolUse, whole } from "../frames.ts";
import { nothing, readUse, runsRead, thought } from "./parts.ts";

export const thinkingSamples: readonly Fixture[] = [
  {
    name: "thinking with its signature before a call",
    frames: message([thinking("I should read the notes first.", "EqoBCkgIARAB"), readUse], {
      stop: "tool_use",
    }),
    turn: runsRead,
    replays: [thought("I should read the notes first.", "EqoBCkgIARAB")],
  },
  {
    name: "two thinking blocks in a row, a signature each",
    frames: message(
      [thinking("First thought.", "sig-one"), thinking("Second thought.", "sig-two"), readUse],
      { stop: "tool_use" },
    ),
    turn: runsRead,
    replays: [thought("First thought.", "sig-one"), thought("Second thought.", "sig-two")],
  },
  {
    name: "redacted thinking before a call",
    frames: message(
      [whole({ type: "redacted_thinking", data: "EmwKAhgBEgy3va3pzix/LafPsn4a" }), readUse],
      { stop: "tool_use" },
    ),
    turn: runsRead,
    replays: [{ type: "redacted_thinking", data: "EmwKAhgBEgy3va3pzix/LafPsn4a" }],
  },
  {
    name: "a signature without the thinking",
    frames: message([thinking("", "sig-omitted"), readUse], { stop: "tool_use" }),
    turn: runsRead,
    replays: [thought("", "sig-omitted")],
    source:
      "https://platform.claude.com/docs/en/build-with-claude/extended-thinking (display: omitted)",
  },
  {
    name: "thinking, and a call cut at the cap",
    frames: message(
      [
        thinking("A long file, then.", "sig-cut"),
        { ...toolUse("toolu_01Cut", "write", { path: "/srv/a" }), open: true },
      ],
      {
        stop: "max_tokens",
        output: 1024,
      },
    ),
    turn: nothing("length"),
    omits: [thought("A long file, then.", "sig-cut")],
    source: "forgecode#3073",
  },
  {
    name: "nothing but thinking, at the cap",
    frames: message([thinking("Still thinking.", "sig-all")], { stop: "max_tokens", output: 1024 }),
    turn: nothing("length"),
    omits: [thought("Still thinking.", "sig-all")],
  },
];
