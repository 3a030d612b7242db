import { redactThrown } from "@fullstop/core/adapter";
import { connect, HttpCallError, rpc } from "@restatedev/restate-sdk-clients";
import type { JournalHandlers } from "./journal-object.ts";

type Handler = keyof JournalHandlers;
type RequestOf<Name extends Handler> = JournalHandlers[Name] extends (
  context: never,
  ...request: infer Request
) => unknown
  ? Request
  : never;
type AnswerOf<Name extends Handler> = Awaited<ReturnType<JournalHandlers[Name]>>;

/** Calls a handler of the virtual object of a run, over HTTP. */
export type CallJournal = <Name extends Handler>(
  handler: Name,
  runId: string,
  ...request: RequestOf<Name>
) => Promise<AnswerOf<Name>>;

export interface JournalAddress {
  readonly ingressUrl: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly name: string;
  readonly timeoutMs: number;
}

/** Each call is sent once, except `claim`: with its idempotency key a lost answer comes again. */
export function createJournalClient(address: JournalAddress): CallJournal {
  const { name: service, ingressUrl, headers = {}, timeoutMs: timeout } = address;
  if (!URL.canParse(ingressUrl))
    throw new TypeError(
      "`ingressUrl` of `restateJournal` is not a URL. Give the address that takes invocations, such as http://localhost:8080.",
    );
  const url = ingressUrl.replace(/(?<!\/)\/+$/, "");
  const ingress = connect({ url, headers: { ...headers }, retry: true });
  return async (handler, key, ...[parameter]: readonly unknown[]) => {
    const opts = rpc.opts<unknown, unknown>({
      timeout,
      ...(handler === "claim" && { idempotencyKey: crypto.randomUUID() }),
    });
    try {
      return (await ingress.call({ service, handler, key, parameter, opts })) as never;
    } catch (thrown) {
      throw thrown instanceof HttpCallError && thrown.status === 404
        ? notServedError(service, thrown)
        : // The error of `fetch` shows the whole address.
          redactThrown(thrown, []);
    }
  };
}

const notServedError = (name: string, cause: Error): Error =>
  new Error(
    `Restate has no virtual object "${name}". Serve \`object\` of the journal beside your workflows, and register the deployment.`,
    { cause },
  );

/** The connection failed, or Restate cannot take the call now. An answer of the object is final. */
export function isTransient(thrown: unknown): boolean {
  if (!(thrown instanceof HttpCallError))
    return thrown instanceof Error && ["TypeError", "TimeoutError"].includes(thrown.name);
  const { status, responseText } = thrown;
  return (status >= 500 || [408, 425, 429].includes(status)) && !isFromObject(responseText);
}

const isFromObject = (body: string): boolean => /"source"\s*:\s*"invocation"/.test(body);
