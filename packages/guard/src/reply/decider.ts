import { callUserFunction } from "@fullstop/core/adapter";
import type { GuardAction, GuardOptions } from "../options.ts";
import { type FetchArguments, headersOf } from "../request/body.ts";
import type { InspectedRequest } from "../request/inspect.ts";
import { addsToHistory } from "../request/recognize.ts";
import { type Attempts, requestKey } from "./attempts.ts";
import { lastFailure } from "./failure.ts";
import { createReask, followsNote } from "./reask.ts";
import type { EndedReply } from "./stream.ts";
import { decide, isUnknownCall, type Outcome, type Verdict } from "./verdict.ts";

export type Decide = (reply: EndedReply, upstream: Response) => Promise<Outcome>;

/** How many retryable errors a client gets for one request. The next error ends its retries. */
const maxRetryable = 2;

interface DeciderContext {
  readonly options: GuardOptions;
  readonly attempts: Attempts;
  /** The conversations in which the model was asked again, and not yet with success. */
  readonly reasked: Attempts;
  readonly replyId: string;
}

export function createDecider(
  inspected: InspectedRequest,
  { options, attempts, reasked, replyId }: DeciderContext,
): Decide {
  const { request, reader, body, send, bodyText, reportUnguarded } = inspected;
  const began = performance.now();
  const keyOf = (): Promise<string> => requestKey(request.url, headersOf(send), bodyText);
  const isRepeatable = !addsToHistory(body);
  let retriesLeft = options.retries ?? 0;
  const reask = createReask(inspected, { options, reasked, began });

  const again = async (
    verdict: Verdict,
    { wasSent, turn }: EndedReply,
  ): Promise<FetchArguments | undefined> => {
    const isFinal = wasSent || turn.sideEffects === true || turn.stopReason === "aborted";
    // A limit or an overload is for the client, which knows how long to wait.
    const isBroken =
      verdict.action === "failed" && verdict.failure.isRetryable && verdict.failure.status === 502;
    if (!isFinal && isBroken && retriesLeft > 0) {
      retriesLeft--;
      return send;
    }
    return reask(verdict, turn, isFinal || !isRepeatable);
  };
  /** The second time that a reply is withheld right after the note becomes such an error too. */
  const bound = async (verdict: Verdict, { turn, wasSent }: EndedReply): Promise<Verdict> => {
    if (verdict.action === "ended" && !wasSent && followsNote(body, verdict.edit.note))
      return { action: "failed", failure: lastFailure(turn, 2) };
    if (verdict.action !== "failed") {
      if (!attempts.isEmpty()) attempts.clear(await keyOf());
      return verdict;
    }
    if (!verdict.failure.isRetryable) return verdict;
    const count = attempts.record(await keyOf(), began);
    return count <= maxRetryable
      ? verdict
      : { action: "failed", failure: lastFailure(turn, count) };
  };
  return async (reply, upstream) => {
    const { turn, heldMs, heldChars } = reply;
    const seen = { ...reply, reader, request, options, isRepeatable };
    const first = decide(seen);
    if (first.action === "passed" && isUnknownCall(seen))
      reportUnguarded("its reply has a form that the guard cannot read");
    const report = (action: GuardAction, status: number): void => {
      const requestId =
        upstream.headers.get("request-id") ?? upstream.headers.get("x-request-id") ?? undefined;
      const facts = { ...request, replyId, action, turn, status, heldMs, heldChars, requestId };
      callUserFunction("`onReply` of the guard", () => options.onReply?.(facts), undefined);
    };
    const sendAgain = reply.hasRoom ? await again(first, reply) : undefined;
    if (sendAgain !== undefined) {
      report("retried", upstream.status);
      return { action: "retried", send: sendAgain };
    }
    const verdict = reply.hasRoom ? await bound(first, reply) : first;
    const isStatus = verdict.action === "failed" && !reply.wasSent;
    report(verdict.action, isStatus ? verdict.failure.status : upstream.status);
    return verdict;
  };
}
