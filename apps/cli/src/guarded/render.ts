import { createTerminal, type OutputStream } from "../demo/terminal.ts";
import type { GuardedEvent } from "./play.ts";

type GuardedRenderers = {
  readonly [Type in GuardedEvent["type"]]: (
    event: Extract<GuardedEvent, { readonly type: Type }>,
  ) => void;
};

/** Shows the events to a person while they happen. */
export function renderGuarded(stream: OutputStream): (event: GuardedEvent) => void {
  const terminal = createTerminal(stream);
  terminal.line(
    `${terminal.paint("bold", "fullstop.")}  The same naive agent, without and with the guard.`,
  );
  terminal.line();
  terminal.entry(
    "agent",
    "runs each call when its block is complete, asks again after an error, and does not look at the stop reason",
  );
  terminal.entry("guard", "new Anthropic({ fetch: guard() })", "cyan");
  const renderers: GuardedRenderers = {
    scene({ title, prompt }) {
      terminal.line();
      terminal.rule(`a reply, ${title}`);
      terminal.entry("person", prompt);
    },
    result({ guarded, isSafe, text, requests, end }) {
      const mark = isSafe ? "✔" : "✖";
      const count = requests === 1 ? "1 request" : `${requests} requests`;
      const label = guarded ? "guarded" : "without";
      terminal.entry(label, `${mark} ${text}, ${count}`, isSafe ? "green" : "red");
      if (guarded) terminal.entry("", `ends with: ${end}`, "dim");
    },
    verdict({ ok, harmed }) {
      const text = ok
        ? `✔ Without the guard ${harmed} replies did harm. With it, none.`
        : "✖ The guard let harm happen, or the agent did none without it.";
      terminal.line();
      terminal.line(terminal.paint(ok ? "green" : "red", text));
    },
  };
  return (event) => (renderers[event.type] as (event: GuardedEvent) => void)(event);
}
