import type { PageContent } from "../corpus.ts";

/** A state of the page that shows one thing. */
export interface Preset {
  readonly label: string;
  readonly hash: string;
}

/** The offset behind the event that holds a piece. Texts of stories have one byte per character. */
function endOf(content: PageContent, id: string, piece: string): number {
  const text = content.replies.find((reply) => reply.id === id)?.text ?? "";
  return text.indexOf("\n\n", text.indexOf(JSON.stringify(piece))) + 2;
}

const finished = "story/finished";

/** Where a reader may begin. */
export const presetsOf = (content: PageContent): readonly Preset[] => [
  {
    label: "A cut inside a command",
    hash: `#r=${finished}&at=${endOf(content, finished, " ~")}`,
  },
  { label: "A cut that a gateway relabels", hash: "#r=story/relabelled" },
  { label: "A second reply behind a cut one", hash: `#r=${finished}&drop&second` },
  { label: "A call that is sent twice", hash: `#r=${finished}&repeat` },
  { label: "The finished reply", hash: `#r=${finished}` },
];

export const defaultHash = (content: PageContent): string => presetsOf(content)[0]?.hash ?? "";
