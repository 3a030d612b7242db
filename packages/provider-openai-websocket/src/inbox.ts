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
  "response.cancelled",
  "response.done",
  "response.error",
  "error",
]);
/** An error without a type is one of a proxy. */
export const isLast = ({ type, error }: ReplyEvent): boolean =>
  lastEvents.has(type) || (type === undefined && Boolean(error));

export interface Inbox {
  /**
   * Adds an event. Ignores what comes before the reply or after it. Returns how many events wait.
   * @throws ProviderError if another response begins or ends in the middle of the reply, or if the
   * reply does not begin with its start.
   */
  add(event: ReplyEvent): number;
  /** No further event comes. Before the reply, this belongs to the reply before. */
  end(): void;
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
  let hasBegun = false;
  const fail = (thrown: Error): void => {
    failure ??= { thrown };
    wake();
  };
  return {
    add: (event) => {
      // After the end of a reply, or after damage, nothing that comes belongs to it.
      if (isComplete || failure !== undefined || isEarlier(event)) return events.length;
      assertOwn(event);
      isComplete = isLast(event);
      hasBegun = true;
      events.push(event);
      wake();
      return events.length;
    },
    end: () => {
      if (hasBegun)
        fail(
          new ProviderError("The socket ended the reply before its last event.", { kind: "cut" }),
        );
    },
    fail,
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
    const id = response?.id;
    hasStarted = startEvents.has(type) && id !== lastId;
    const isOther = typeof id === "string" && id !== lastId;
    if (!hasStarted && (isOther || type === "response.created"))
      throw new ProviderError(
        `The socket sent ${type} of ${id}, which does not begin a new response.`,
        { kind: "malformed-reply" },
      );
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
