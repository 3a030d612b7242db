import { startTimer } from "@fullstop/core/adapter";

export interface Audience {
  join(): void;
  leave(): void;
  close(): void;
}

export interface AudienceOptions {
  readonly graceMs: number;
  /** Asked before `abort`. If a client of another process reads, the time begins again. */
  readonly isReadElsewhere: () => Promise<boolean>;
  readonly abort: () => void;
}

export function createAudience({ graceMs, isReadElsewhere, abort }: AudienceOptions): Audience {
  let count = 0;
  let isClosed = false;
  let stopTimer = (): void => undefined;
  const isEmpty = (): boolean => count === 0 && !isClosed;
  const abortIfUnread = async (): Promise<void> => {
    const isRead = await isReadElsewhere();
    if (!isEmpty()) return;
    if (isRead) wait();
    else abort();
  };
  const wait = (): void => {
    stopTimer();
    stopTimer = startTimer(graceMs, () => void abortIfUnread());
  };
  return {
    join: () => {
      count += 1;
      stopTimer();
    },
    leave: () => {
      count -= 1;
      if (isEmpty()) wait();
    },
    close: () => {
      isClosed = true;
      stopTimer();
    },
  };
}
