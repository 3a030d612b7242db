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
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isEmpty = (): boolean => count === 0 && !isClosed;
  const abortIfUnread = async (): Promise<void> => {
    const isRead = await isReadElsewhere();
    if (!isEmpty()) return;
    if (isRead) wait();
    else abort();
  };
  const wait = (): void => {
    clearTimeout(timer);
    if (graceMs !== Number.POSITIVE_INFINITY)
      timer = setTimeout(() => void abortIfUnread(), graceMs);
  };
  return {
    join: () => {
      count += 1;
      clearTimeout(timer);
    },
    leave: () => {
      count -= 1;
      if (isEmpty()) wait();
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
