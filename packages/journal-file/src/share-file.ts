import type { JournalFile } from "./open-file.ts";

export interface SharedFile {
  /** Opens the file for the first user. Each `acquire` that resolves needs one `release`. */
  acquire(): Promise<JournalFile>;
  release(): Promise<void>;
}

export function shareFile(open: () => Promise<JournalFile>): SharedFile {
  let users = 0;
  let opened: Promise<JournalFile> | undefined;
  /** Settles when the file that was used before is closed. */
  let closed: Promise<unknown> = Promise.resolve();
  return {
    acquire: async () => {
      opened ??= closed.then(open, open);
      const mine = opened;
      users++;
      try {
        return await mine;
      } catch (thrown) {
        users--;
        if (opened === mine) opened = undefined;
        throw thrown;
      }
    },
    release: async () => {
      if (--users > 0) return;
      const closing = opened?.then((file) => file.close());
      opened = undefined;
      closed = closing ?? closed;
      await closing;
    },
  };
}
