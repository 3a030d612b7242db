import { ProviderError } from "@fullstop/core";

export interface ReplyEvent {
  readonly type?: unknown;
  readonly response?: {
    readonly id?: unknown;
    readonly status?: unknown;
    readonly output?: unknown;
  };
  /** The HTTP status that the same error has without a socket. */
  readonly status?: unknown;
  readonly error?: unknown;
  readonly headers?: unknown;
}

/** After one of these the reply has no further event. */
const lastEvents: ReadonlySet<unknown> = new Set([
  "response.completed",
  "response.incomplete",
  "response.failed",
  "response.done",
  "response.error",
  "error",
]);
export const isLast = ({ type }: ReplyEvent): boolean => lastEvents.has(type);

export interface Inbox {
  /**
   * Adds an event. Ignores what comes before the reply or after it. Returns how many events wait.
   * @throws ProviderError if another response begins or ends in the middle of the reply.
   */
  add(event: ReplyEvent): number;
  /** The reply ends with this error, after the events that came before it. */
  fail(failure: Error): void;
  /** `onEmpty` is called before the reader waits. */
  read(onEmpty: () => void): AsyncGenerator<ReplyEvent>;
}

/** `lastId`: the id of the reply that the socket carried before. */
export function createInbox(lastId: unknown): Inbox {
  const events: ReplyEvent[] = [];
  const isEarlier = createEarlierCheck(lastId);
  const assertOwn = createOwnCheck();
  let isComplete = false;
  let failure: { readonly thrown: Error } | undefined;
  let wake = (): void => undefined;
  return {
    add: (event) => {
      // After the end of a reply, or after damage, nothing that comes belongs to it.
      if (isComplete || failure !== undefined || isEarlier(event)) return events.length;
      assertOwn(event);
      isComplete = isLast(event);
      events.push(event);
      wake();
      return events.length;
    },
    fail: (thrown) => {
      failure ??= { thrown };
      wake();
    },
    read: async function* (onEmpty) {
      for (;;) {
        const event = events.shift();
        if (event !== undefined) {
          yield event;
          continue;
        }
        if (failure !== undefined) throw failure.thrown;
        onEmpty();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/** Events name no request: before a new response begins, they belong to the reply before. */
function createEarlierCheck(lastId: unknown): (event: ReplyEvent) => boolean {
  let hasStarted = lastId === undefined;
  return ({ type, response }) => {
    if (hasStarted || !String(type).startsWith("response.")) return false;
    hasStarted = startEvents.has(type) && response?.id !== lastId;
    return !hasStarted;
  };
}
const startEvents: ReadonlySet<unknown> = new Set([
  "response.created",
  "response.queued",
  "response.in_progress",
]);

function createOwnCheck(): (event: ReplyEvent) => void {
  let own: unknown;
  return ({ response }) => {
    const id = response?.id;
    own ??= id;
    if (typeof id === "string" && id !== own)
      throw new ProviderError(
        `The socket sent an event of another response (${id}) in the middle of ${String(own)}.`,
        { kind: "malformed-reply" },
      );
  };
}
