import { type Recorder, record } from "@fullstop/inspect";
import type { OutputStream } from "./terminal.ts";

/** The file that `--record` names. */
export interface DemoRecording {
  readonly recorder: Recorder;
  /** Why nothing can be recorded. */
  problem(): string | undefined;
  /** Says where the recording is, or why it ends too early. */
  close(stream: OutputStream): Promise<void>;
}

/** Opens the file, so that a wrong name is known before the demo starts. */
export function openRecording(file: string): DemoRecording {
  let problem: string | undefined;
  const recorder = record(file, {
    onError: ({ message }) => {
      problem = message;
    },
  });
  return {
    recorder,
    problem: () => problem,
    close: async (stream) => {
      await recorder.close().catch(() => undefined);
      if (problem !== undefined) process.stderr.write(`fullstop demo: ${problem}\n`);
      else stream.write(`\nRecorded. To see it: fullstop inspect ${file} --open\n`);
    },
  };
}
