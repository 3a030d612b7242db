import { CopyButton } from "@fullstop/inspect/page-parts";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { CorpusReply, PageContent } from "../corpus.ts";
import type { PageState, Scene } from "../page/state.ts";
import { type ProtocolName, protocolNames, protocols } from "../reply/protocols.ts";
import { PasteDialog } from "./paste-dialog.tsx";
import { sourceAddress } from "./source.tsx";

interface ChooseProps {
  readonly content: PageContent;
  readonly state: PageState;
  readonly scene: Scene;
  readonly setState: (state: PageState) => void;
}

/** Which reply is cut: one of the corpus, or one that is pasted. */
export function Choose({ content, state, scene, setState }: ChooseProps): VNode {
  const [isPasting, setPasting] = useState(false);
  const open = (reply: string): void => setState({ reply, edits: {} });
  const offered = content.replies.filter(({ protocol }) => protocol === scene.protocol);
  const changeProtocol = (protocol: ProtocolName): void => {
    if (state.pasted !== undefined)
      setState({ ...state, pasted: { ...state.pasted, protocol }, edits: {} });
    else open(content.replies.find((reply) => reply.protocol === protocol)?.id ?? state.reply);
  };
  return (
    <section class="choose" aria-label="The reply">
      <label>
        <span>Protocol</span>
        <select
          value={scene.protocol}
          onChange={(event) => changeProtocol(event.currentTarget.value as ProtocolName)}
        >
          {protocolsFor(content, state).map((name) => (
            <option key={name} value={name}>
              {protocols[name].label}
            </option>
          ))}
        </select>
      </label>
      <label class="reply-choice">
        <span>Reply</span>
        <select
          value={scene.known?.id ?? "pasted"}
          onChange={(event) => open(event.currentTarget.value)}
        >
          {state.pasted !== undefined && <option value="pasted">The reply that you pasted</option>}
          {offered.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <div class="buttons">
        <button type="button" onClick={() => setPasting(true)}>
          Paste a reply
        </button>
        <CopyButton label="Copy link" text={() => location.href} />
      </div>
      <Origin known={scene.known} />
      {isPasting && <PasteDialog close={() => setPasting(false)} setState={setState} />}
    </section>
  );
}

/** A pasted reply may be of any protocol. The corpus has replies of some. */
const protocolsFor = (content: PageContent, { pasted }: PageState): readonly ProtocolName[] =>
  protocolNames.filter(
    (name) => pasted !== undefined || content.replies.some(({ protocol }) => protocol === name),
  );

const evidenceWords: Readonly<Record<string, string>> = {
  documented: "The vendor documents such a reply:",
  seen: "Such a reply was seen:",
  made: "Written for the suite after",
};

function Origin({ known }: { readonly known: CorpusReply | undefined }): VNode | null {
  if (known?.source === undefined) return null;
  const address = sourceAddress(known.source);
  return (
    <p class="origin">
      {evidenceWords[known.evidence ?? ""] ?? "Source:"}{" "}
      {address === undefined ? known.source : <a href={address}>{shortAddress(known.source)}</a>}
    </p>
  );
}

const shortAddress = (source: string): string => source.replace(/^https:\/\//, "");
