import type { VNode } from "preact";
import { Marked } from "./verbatim.tsx";

/** The first sentence says what happened. The others are details. */
export function Headline({ text }: { readonly text: string }): VNode {
  const [first = text] = /^.*?[.!?](?=\s)/s.exec(text) ?? [];
  const details = text.slice(first.length);
  return (
    <h2 tabIndex={-1}>
      <Marked text={first} />
      {details !== "" && (
        <span class="details">
          <Marked text={details} />
        </span>
      )}
    </h2>
  );
}
