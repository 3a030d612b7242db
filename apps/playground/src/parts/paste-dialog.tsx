import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { PageState } from "../page/state.ts";
import { recognize, replyFrom, whyNotReply } from "../reply/paste.ts";

interface PasteProps {
  readonly close: () => void;
  readonly setState: (state: PageState) => void;
}

/** For `ref`. It is called when the dialog joins the page. */
const showModal = (dialog: HTMLDialogElement | null): void => {
  if (dialog !== null && !dialog.open) dialog.showModal();
};

/** Takes a reply that a person copied. Its protocol is recognized. */
export function PasteDialog({ close, setState }: PasteProps): VNode {
  const [pasted, setPasted] = useState("");
  const [problem, setProblem] = useState("");
  const take = async (): Promise<void> => {
    const text = replyFrom(pasted);
    const protocol = await recognize(text);
    if (protocol === undefined) {
      setProblem(`No protocol was recognized. ${await whyNotReply(text)}`);
      return;
    }
    setState({ reply: "", pasted: { protocol, text }, edits: {} });
    close();
  };
  return (
    <dialog class="paste" ref={showModal} aria-labelledby="paste-title" onClose={close}>
      <h2 id="paste-title">Paste a reply</h2>
      <p class="muted" id="paste-help">
        A stream of events or a JSON body, from a log, from <code>curl -i</code> or from the network
        panel of a browser. It stays in this page. A link that you copy contains it.
      </p>
      <label>
        <span class="sr">The reply</span>
        <textarea
          rows={12}
          value={pasted}
          spellcheck={false}
          aria-describedby="paste-help"
          placeholder={'data: {"choices":[{"delta":{"tool_calls":[…'}
          onInput={(event) => setPasted(event.currentTarget.value)}
        />
      </label>
      {problem !== "" && (
        <p role="alert" class="notice">
          {problem}
        </p>
      )}
      <div class="buttons">
        <button type="button" disabled={pasted.trim() === ""} onClick={() => void take()}>
          Use this reply
        </button>
        <button type="button" class="quiet" onClick={close}>
          Cancel
        </button>
      </div>
    </dialog>
  );
}
