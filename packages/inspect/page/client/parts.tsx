import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import type { Status, Tone } from "./words.ts";

const glyphs: Readonly<Record<Tone, string>> = {
  granted: "✓",
  withheld: "✕",
  doubt: "?",
  failed: "!",
  plain: "·",
  busy: "…",
};

/** A state: its sign, its colour and its word. */
export function Badge({ status }: { readonly status: Status }): VNode {
  return (
    <span class={`badge ${status.tone}`}>
      <Sign tone={status.tone} />
      {status.word}
    </span>
  );
}

export function Sign({ tone }: { readonly tone: Tone }): VNode {
  return (
    <span class={`sign ${tone}`} aria-hidden="true">
      {glyphs[tone]}
    </span>
  );
}

interface CardProps {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly className?: string | undefined;
  readonly children: ComponentChildren;
}

/** A part of the page with a heading. */
export function Card({ title, aside, className, children }: CardProps): VNode {
  return (
    <section class={className === undefined ? "card" : `card ${className}`}>
      <header class="card-head">
        <h3>{title}</h3>
        {aside !== undefined && <div class="aside">{aside}</div>}
      </header>
      <div class="card-body">{children}</div>
    </section>
  );
}

interface FoldProps {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly isOpen?: boolean | undefined;
  /** Made when the fold opens for the first time. */
  readonly children: () => ComponentChildren;
}

/** A part of the page that is closed at first. Its content is made when it is opened. */
export function Fold({ title, aside, isOpen = false, children }: FoldProps): VNode {
  const [wasOpened, setOpened] = useState(isOpen);
  return (
    <details
      class="card fold"
      open={isOpen}
      onToggle={(event) => event.currentTarget.open && setOpened(true)}
    >
      <summary class="card-head">
        <h3>{title}</h3>
        {aside !== undefined && <div class="aside">{aside}</div>}
      </summary>
      {wasOpened && <div class="card-body">{children()}</div>}
    </details>
  );
}

interface FactProps {
  readonly name: string;
  readonly children: ComponentChildren;
}
/** A name and its value, inside of a `<dl>`. */
export function Fact({ name, children }: FactProps): VNode {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface CopyProps {
  readonly text: () => string;
  readonly label: string;
}
/** Copies a text. A file of the page may have no clipboard: the text is selected by hand then. */
export function CopyButton({ text, label }: CopyProps): VNode {
  const [state, setState] = useState<"ready" | "copied" | "failed">("ready");
  const words = { ready: label, copied: "Copied", failed: "Not permitted: copy by hand" };
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text());
      setState("copied");
    } catch {
      setState("failed");
    }
    setTimeout(() => setState("ready"), 2000);
  };
  return (
    <button type="button" class="quiet" onClick={copy} aria-live="polite">
      {words[state]}
    </button>
  );
}
