import type { ReplyFrame } from "../protocols/protocol.ts";

/** Whether a text ends with a blank line. */
export const endsFrame = (text: string): boolean =>
  /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r)$/.test(text);

/** What is missing at the end of a text before another frame may follow it. */
export function missingEnd(text: string): string {
  if (text.endsWith("\r\n\r")) return "\n";
  return text === "" || endsFrame(text) ? "" : "\n\n";
}

const lineFeed = "\n";
const isComplete = ({ raw }: ReplyFrame): boolean => raw === lineFeed || endsFrame(raw);

/** Whether a frame is the beginning of one that never came to its end. */
export const isTorn = (frame: ReplyFrame): boolean =>
  frame.native === undefined && !isComplete(frame);

/** The frames of a reply that is edited: without a torn one, and each with its blank line. */
export const closeFrames = (frames: readonly ReplyFrame[]): readonly ReplyFrame[] =>
  frames.flatMap((frame) => {
    if (isTorn(frame)) return [];
    return isComplete(frame) ? [frame] : [{ ...frame, raw: frame.raw + missingEnd(frame.raw) }];
  });

/**
 * Gives the second half of a line end that was split between two chunks a frame of its own. It
 * would otherwise begin the next frame, and be lost with it.
 */
export function createLineEndSplitter(): (frame: ReplyFrame) => readonly ReplyFrame[] {
  let endsWithReturn = false;
  return (frame) => {
    const { raw } = frame;
    const isSplit = endsWithReturn && raw.startsWith(lineFeed) && frame.isWhole !== true;
    endsWithReturn = raw.endsWith("\r");
    if (!isSplit) return [frame];
    const rest = raw.slice(lineFeed.length);
    const half: ReplyFrame = { raw: lineFeed, native: undefined };
    return rest === "" ? [half] : [half, { ...frame, raw: rest }];
  };
}
