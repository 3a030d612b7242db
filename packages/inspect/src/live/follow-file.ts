import { EventEmitter, once } from "node:events";
import { watch } from "node:fs";
import { basename, dirname } from "node:path";
import { type Edition, growingFile } from "./growing-file.ts";

export interface FollowedFile {
  /** Undefined: the file does not exist yet. */
  readonly edition: Edition | undefined;
  /** Resolves when lines are added, when another edition begins, or when `signal` aborts. */
  next(signal: AbortSignal): Promise<void>;
  /** Nothing follows: who waits for more goes on, and finds `hasEnded`. */
  end(): void;
  readonly hasEnded: boolean;
  close(): Promise<void>;
}

/** Without a notice of the system, and for changes that it does not report, such as on network drives. */
const pollMs = 500;

/** @throws what the file system says, unless the file does not exist. */
export async function followFile(
  path: string,
  onError: (error: Error) => void,
): Promise<FollowedFile> {
  const file = growingFile(path);
  await file.update();
  // Each client of the server waits for its changes.
  const changes = new EventEmitter<{ change: [] }>().setMaxListeners(0);
  let updating: Promise<void> | undefined;
  let isStale = false;
  let hasEnded = false;
  const update = async (): Promise<void> => {
    do {
      isStale = false;
      if (await file.update()) changes.emit("change");
    } while (isStale);
  };
  const report = reportOnce(onError);
  const refresh = (): void => {
    isStale = true;
    updating ??= update()
      .then(() => report(undefined), report)
      .finally(() => {
        updating = undefined;
      });
  };
  const stopWatching = watchPath(path, refresh);
  const timer = setInterval(refresh, pollMs);
  return {
    get edition() {
      return file.edition;
    },
    next: async (signal) => {
      await once(changes, "change", { signal }).catch(() => undefined);
    },
    end: () => {
      hasEnded = true;
      changes.emit("change");
    },
    get hasEnded() {
      return hasEnded;
    },
    close: async () => {
      clearInterval(timer);
      stopWatching();
      await updating;
      await file.close();
    },
  };
}

/** Reports an error that stays until it is another one, or was away. */
function reportOnce(onError: (error: Error) => void): (error: Error | undefined) => void {
  let last: string | undefined;
  return (error) => {
    if (error !== undefined && error.message !== last) onError(error);
    last = error?.message;
  };
}

/** Watches the folder, because the file may be missing or replaced. */
function watchPath(path: string, onChange: () => void): () => void {
  try {
    const name = basename(path);
    const watcher = watch(dirname(path), (_, changed) => {
      if (changed === null || changed === name) onChange();
    });
    // Polling goes on, for example if the folder was removed.
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    // The system does not watch here, or has no watchers left: polling is enough.
    return () => undefined;
  }
}
