import type { RefObject, VNode } from "preact";
import { keyHelp } from "./keys.ts";
import { Badge } from "./parts.tsx";
import type { Status } from "./words.ts";

const meanings: readonly (readonly [status: Status, meaning: string])[] = [
  [{ tone: "granted", word: "granted" }, "The gate issued the calls, or the run is done."],
  [{ tone: "withheld", word: "withheld" }, "The gate held the calls back. Nothing of them ran."],
  [{ tone: "doubt", word: "in doubt" }, "A call had started, and its result is not known."],
  [{ tone: "failed", word: "failed" }, "It was cut, refused or failed, or a tool gave an error."],
];

export function Help({ dialog }: { readonly dialog: RefObject<HTMLDialogElement | null> }): VNode {
  return (
    <dialog ref={dialog} aria-labelledby="help-title">
      <h2 id="help-title">Keys and signs</h2>
      <table>
        <tbody>
          {keyHelp.map(([keys, meaning]) => (
            <tr key={keys}>
              <th scope="row">
                <kbd>{keys}</kbd>
              </th>
              <td>{meaning}</td>
            </tr>
          ))}
          {meanings.map(([status, meaning]) => (
            <tr key={status.word}>
              <th scope="row">
                <Badge status={status} />
              </th>
              <td>{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="muted">
        A mark such as <span class="mark">‹U+202E›</span> stands for a character that cannot be
        seen.
      </p>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
