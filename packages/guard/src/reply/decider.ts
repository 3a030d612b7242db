import { callUserFunction } from "@fullstop/core/adapter";
import type { GuardAction, GuardOptions } from "../options.ts";
import { headersOf } from "../request/body.ts";
import type { InspectedRequest } from "../request/inspect.ts";
import { addsToHistory } from "../request/recognize.ts";
import { type Attempts, requestKey } from "./attempts.ts";
import { failureOf, lastFailure } from "./failure.ts";
import { createReask, followsNote } from "./reask.ts";
import type { EndedReply } from "./stream.ts";
import { decide, isUnknownCall, type KeptEnding, type Outcome, type Verdict } from "./verdict.ts";

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
  const { request, reader, body, send, reportUnguarded } = inspected;
  const began = performance.now();
  const isRepeatable = !addsToHistory(body);
  const retries = createRetries(options.retries ?? 0);
  const reask = createReask(inspected, { options, reasked, began });
  const bound = createBound(inspected, { attempts, began });
  const reporterOf = createReporters({ request, replyId, onReply: options.onReply });
  /** The first reply, if the model was asked once more. */
  let kept: KeptReply | undefined;

  const judge = async (reply: EndedReply, first: Verdict, report: Report): Promise<Outcome> => {
    const { turn, wasSent } = reply;
    const isFinal = wasSent || turn.sideEffects === true || turn.stopReason === "aborted";
    if (kept === undefined && !isFinal && retries.take(first)) {
      report("retried");
      return { action: "retried", send };
    }
    const second = await reask(first, turn, isFinal || !isRepeatable);
    if (second !== undefined) {
      kept = keepReply(await bound(first, reply), wasSent, report);
      return { action: "retried", ...second, kept };
    }
    // An error event of the provider would pass.
    if (kept !== undefined && !wasSent && (first.action === "failed" || "error" in turn)) {
      report("failed", kept.status);
      return { action: "failed", failure: failureOf(turn, isRepeatable) };
    }
    kept?.drop();
    return reported(await bound(first, reply), wasSent, report);
  };
  return async (reply, upstream) => {
    const seen = { ...reply, reader, request, options, isRepeatable };
    const first = decide(seen);
    if (first.action === "passed" && isUnknownCall(seen))
      reportUnguarded("its reply has a form that the guard cannot read");
    const report = reporterOf(reply, upstream);
    return reply.hasRoom ? judge(reply, first, report) : reported(first, reply.wasSent, report);
  };
}

interface Report {
  (action: GuardAction, status?: number): void;
  readonly status: number;
}

interface ReportContext extends Pick<GuardOptions, "onReply"> {
  readonly request: InspectedRequest["request"];
  readonly replyId: string;
}
const createReporters =
  ({ request, replyId, onReply }: ReportContext) =>
  ({ turn, heldMs, heldChars }: EndedReply, { status: given, headers }: Response): Report => {
    const requestId = headers.get("request-id") ?? headers.get("x-request-id") ?? undefined;
    const report = (action: GuardAction, status = given): void => {
      const facts = { ...request, replyId, action, turn, status, heldMs, heldChars, requestId };
      callUserFunction("`onReply` of the guard", () => onReply?.(facts), undefined);
    };
    return Object.assign(report, { status: given });
  };

function reported(verdict: Verdict, wasSent: boolean, report: Report): Verdict {
  const isStatus = verdict.action === "failed" && !wasSent;
  report(verdict.action, isStatus ? verdict.failure.status : report.status);
  return verdict;
}

interface KeptReply extends KeptEnding {
  readonly status: number;
}

/** Its report comes before that of the second reply, or behind it if this is what goes out. */
function keepReply(verdict: Verdict, wasSent: boolean, report: Report): KeptReply {
  let isReported = false;
  return {
    status: report.status,
    give: () => reported(verdict, wasSent, report),
    drop() {
      if (!isReported) report("retried");
      isReported = true;
    },
  };
}

/** A limit or an overload is for the client, which knows how long to wait. */
function createRetries(count: number): { readonly take: (verdict: Verdict) => boolean } {
  let left = count;
  return {
    take: (verdict) =>
      verdict.action === "failed" &&
      verdict.failure.isRetryable &&
      verdict.failure.status === 502 &&
      left-- > 0,
  };
}

/** The second time that a reply is withheld right after the note becomes an error that ends retries. */
function createBound(
  { request, body, send, bodyText }: InspectedRequest,
  { attempts, began }: { readonly attempts: Attempts; readonly began: number },
): (verdict: Verdict, reply: EndedReply) => Promise<Verdict> {
  const keyOf = (): Promise<string> => requestKey(request.url, headersOf(send), bodyText);
  return async (verdict, { turn, wasSent }) => {
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
}
