import {
  createRecordingReader,
  createView,
  RecordingError,
  type RecordingReader,
  type RecordingView,
  type ViewBuilder,
} from "../../src/view/index.ts";

/** The recording of the page, and the view of it as far as it has arrived. */
export interface RecordingSource {
  readonly view: () => RecordingView;
  /** Adds whole lines. */
  readonly add: (lines: readonly string[]) => void;
  readonly reset: () => void;
}

interface Contents {
  readonly reader: RecordingReader;
  readonly builder: ViewBuilder;
  /** Why nothing more can be read. */
  error?: string;
}

/**
 * Reads a recording. What is not a recording becomes a flaw. `isLive`: more lines follow, so an empty
 * text is the beginning of one.
 */
export function openRecording(text: string, isLive: boolean): RecordingSource {
  let contents = createContents();
  const read = (parse: (reader: RecordingReader) => ReturnType<RecordingReader["end"]>): void => {
    if (contents.error !== undefined) return;
    try {
      for (const event of parse(contents.reader)) contents.builder.add(event);
    } catch (thrown) {
      if (!(thrown instanceof RecordingError)) throw thrown;
      contents.error = thrown.message;
    }
  };
  if (text !== "") read((reader) => reader.push(text));
  if (!isLive) read((reader) => reader.end());
  return {
    view: () => viewOf(contents),
    add: (lines) => read((reader) => reader.push(lines.map((line) => `${line}\n`).join(""))),
    reset: () => {
      contents = createContents();
    },
  };
}

function createContents(): Contents {
  const reader = createRecordingReader();
  return { reader, builder: createView(reader.flaws) };
}

function viewOf({ builder, error }: Contents): RecordingView {
  const view = builder.view();
  return error === undefined ? view : { ...view, flaws: [error, ...view.flaws] };
}
