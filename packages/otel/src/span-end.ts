import { type Attributes, SpanStatusCode } from "@opentelemetry/api";
import { attributes } from "./names.ts";
import type { TimedSpan } from "./state.ts";

export interface SpanEnd {
  readonly at: number;
  readonly attributes?: Attributes;
  /** Undefined: it is not an error. */
  readonly errorType: string | undefined;
  /** Opt-in: what a person reads about the error. */
  readonly message?: string | undefined;
}

/** Ends a span, and returns its length in seconds. A clock that was set back makes it 0. */
export function endSpan({ span, startedAt }: TimedSpan, end: SpanEnd): number {
  const endedAt = Math.max(end.at, startedAt);
  if (end.errorType !== undefined) {
    span.setAttributes(errorAttribute(end));
    span.setStatus({ code: SpanStatusCode.ERROR, message: end.message ?? end.errorType });
  }
  span.end(new Date(endedAt));
  return (endedAt - startedAt) / 1000;
}

export const errorAttribute = ({ errorType }: Pick<SpanEnd, "errorType">): Attributes =>
  errorType === undefined ? {} : { [attributes.errorType]: errorType };
