import { anyFunction, checkOptions, type OptionKinds, trueOrFalse } from "@fullstop/core/adapter";
import { type RunEvent, withDetails } from "@fullstop/loop";
import { createEventWriter } from "./record/event-writer.ts";
import { openRecordingFile } from "./record/recording-file.ts";
import { RecordingError } from "./recording-error.ts";

/** Options of `record`. */
export interface RecordOptions {
  /**
   * Called once, with the first error. The run goes on, and nothing more is recorded. Default: a
   * warning of the process.
   */
  readonly onError?: ((error: RecordingError) => void) | undefined;
  /**
   * Called with each text of the recording, after keys were removed. Returns the text that is
   * recorded. It always gets whole texts. So a reply is written when it has ended, and one that is
   * arriving when the process is killed is lost.
   */
  readonly redact?: ((text: string) => string) | undefined;
  /** `false`: keys and passwords are recorded too. Default: `true`. */
  readonly redactKeys?: boolean | undefined;
}

/** An `onEvent` for any number of runs, also at the same time. */
export interface Recorder {
  (event: RunEvent): void;
  /**
   * Closes the file. Each event was written before its run continued, so a program that ends without
   * this call loses nothing. Rejects with a `RecordingError` if something could not be recorded.
   */
  close(): Promise<void>;
}

/**
 * Records runs in a file: `run({ …, onEvent: record("run.jsonl") })`. The file is readable at any
 * time, by its owner only. A recording that exists goes on; other files are not touched. One process
 * at a time may record in a file. It never disturbs the run: errors go to `onError` and to `close`.
 * @throws TypeError, at once, for an option that cannot work.
 */
export function record(file: string, options: RecordOptions = {}): Recorder {
  if (typeof file !== "string")
    throw new TypeError(
      "`record` takes the path of a file. Give the run its result: `run({ …, onEvent: record(file) })`.",
    );
  checkOptions(options, recordKinds, { of: "record" });
  const { onError = warn, redact, redactKeys = true } = options;
  let failure: RecordingError | undefined;
  const attempt = <Value>(work: () => Value): Value | undefined => {
    if (failure !== undefined) return undefined;
    try {
      return work();
    } catch (thrown) {
      failure = toRecordingError(thrown, file);
      onError(failure);
      return undefined;
    }
  };
  const target = attempt(() => openRecordingFile(file));
  const writer = attempt(() =>
    createEventWriter({ redact, redactKeys, append: (line) => target?.append(line) }),
  );
  const observer = withDetails((event) => void attempt(() => writer?.add(event)));
  let isOpen = target !== undefined;
  const close = async (): Promise<void> => {
    attempt(() => isOpen && writer?.flush());
    if (isOpen) target?.close();
    isOpen = false;
    if (failure !== undefined) throw failure;
  };
  return Object.assign(observer, { close });
}

const recordKinds: OptionKinds<Required<RecordOptions>> = {
  onError: anyFunction,
  redact: anyFunction,
  redactKeys: trueOrFalse,
};

const warn = (error: RecordingError): void => process.emitWarning(error);

const toRecordingError = (thrown: unknown, file: string): RecordingError =>
  thrown instanceof RecordingError
    ? thrown
    : new RecordingError(
        "cannot-write",
        `An event cannot be recorded in ${file}: ${thrown instanceof Error ? thrown.message : String(thrown)}. What was recorded until then can be read.`,
        thrown,
      );
