import { parseFrames } from "@fullstop/core/adapter";
import type {
  CallReader,
  Edit,
  GrantedCall,
  Protocol,
  ReplyFrame,
  StreamEditor,
} from "../protocols/protocol.ts";
import { closeFrames } from "./frame-ends.ts";

export interface HeldEvents {
  add(frame: ReplyFrame): void;
  isEmpty(): boolean;
  release(): string;
  /** From now on the calls are read. The event with the first call was added. */
  startCalls(): void;
  text(): string;
  texts(): Iterable<string>;
  says(calls: readonly GrantedCall[], isStrict: boolean): boolean;
  edit(edit: Edit): string;
}

/** Of the events behind the first call only the text is kept: they may be very many. */
export function createHeldEvents(protocol: Protocol, editor: StreamEditor): HeldEvents {
  let frames: ReplyFrame[] = [];
  const later: string[] = [];
  let reader: CallReader | undefined;
  const pieces = (): readonly string[] => [...frames.map(({ raw }) => raw), ...later];
  const text = (): string => pieces().join("");
  return {
    text,
    texts: () => joinPieces(pieces()),
    isEmpty: () => frames.length === 0,
    add(frame) {
      if (reader === undefined) {
        frames.push(frame);
        return;
      }
      if (frame.native !== undefined) reader.add(frame.native);
      later.push(frame.raw);
    },
    release() {
      const released = text();
      frames = [];
      return released;
    },
    startCalls() {
      reader = editor.createCallReader();
      for (const { native } of frames) if (native !== undefined) reader.add(native);
    },
    says: (calls, isStrict) => reader?.says(calls, isStrict) ?? calls.length === 0,
    edit(edit) {
      const parsed = later.length === 0 ? [] : parseFrames(later.join(""), protocol);
      for (const { native } of parsed) if (native !== undefined) editor.classify(native);
      return editor.edit(closeFrames([...frames, ...parsed]), edit);
    },
  };
}

const partLength = 65_536;
function* joinPieces(pieces: readonly string[]): Generator<string> {
  let part = "";
  for (const piece of pieces) {
    part += piece;
    if (part.length < partLength) continue;
    yield part;
    part = "";
  }
  yield part;
}
