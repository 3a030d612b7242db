import { endsEvent, type ReplyFrame } from "../protocols/protocol.ts";

/** The frames of a reply that is edited: without a torn one, and each with its blank line. */
export const closeFrames = (frames: readonly ReplyFrame[]): readonly ReplyFrame[] =>
  frames.flatMap((frame) => {
    if (endsEvent(frame.raw)) return [frame];
    return frame.native === undefined ? [] : [{ ...frame, raw: `${frame.raw}\n\n` }];
  });

const lineFeed = "\n";

/** The second half of a line end would otherwise begin the next frame, and be lost with it. */
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
