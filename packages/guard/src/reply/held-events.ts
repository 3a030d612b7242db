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

/** The events of a stream that wait for the verdict. */
export interface HeldEvents {
  add(frame: ReplyFrame): void;
  /** Whether no event is held. */
  isEmpty(): boolean;
  /** Gives the text of all events, which are then no longer held. */
  release(): string;
  /** From now on the calls are read. The event with the first call was added. */
  startCalls(): void;
  text(): string;
  says(calls: readonly GrantedCall[], isStrict: boolean): boolean;
  edit(edit: Edit): string;
}

/**
 * Of the events behind the first call only the text is kept, because they may be very many. They are
 * parsed again if they are edited.
 */
export function createHeldEvents(protocol: Protocol, editor: StreamEditor): HeldEvents {
  let frames: ReplyFrame[] = [];
  const later: string[] = [];
  let reader: CallReader | undefined;
  const text = (): string => frames.map(({ raw }) => raw).join("") + later.join("");
  return {
    text,
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
