import type { Emit } from "@fullstop/core/adapter";
import { fieldsOf } from "../../shared/fields.ts";
import { responsesErrors, unsupportedItem } from "../errors.ts";
import type { HostRules } from "../host-rules.ts";
import type { ResponseBody } from "./events.ts";
import type { Items } from "./items.ts";
import { readResponsesUsage } from "./usage.ts";

/** Reads what a reply says besides its items: id and model, usage, and why it ends. */
export interface ResponseReader {
  start(response: ResponseBody): void;
  /** `eventStatus`: the status in the name of the event. */
  finish(response: ResponseBody, eventStatus?: ResponseBody["status"]): void;
}

export function createResponseReader(emit: Emit, items: Items, rules: HostRules): ResponseReader {
  let started = false;
  let own: unknown;
  return {
    start({ id, model }) {
      if (started) throw new Error("The reply starts a second time.");
      started = true;
      own = id;
      emit({ type: "meta", id, model });
    },
    finish(response, eventStatus) {
      items.settle(response.output ?? [], isOtherId(own, response.id));
      emit({ type: "meta", maxTokens: statedCap(response) });
      emit({ type: "usage", usage: readResponsesUsage(response.usage, rules.capsReasoning) });
      if (response.error || eventStatus === "failed" || response.status === "failed")
        emitResponsesError(emit, response.error ?? "The response failed.", response);
      const unanswered = items.unansweredType();
      if (unanswered !== undefined) emitResponsesError(emit, unsupportedError(unanswered));
      const stops = responseStops(response, eventStatus, items.isRefused());
      for (const stop of stops) emit({ type: "stop", ...stop, provisional: false });
      // No call of an incomplete reply runs, so a contradiction changes nothing.
      if (!stops.some(({ native }) => native === "incomplete")) assertConsistentItems(items);
    },
  };
}

const statedCap = ({ max_output_tokens: cap }: ResponseBody): number | undefined =>
  typeof cap === "number" && cap > 0 ? cap : undefined;

/** Some gateways leave out the id, or change that of one event only. */
const isOtherId = (own: unknown, id: unknown): boolean => Boolean(own && id) && own !== id;

function assertConsistentItems(items: Items): void {
  const contradiction = items.contradiction();
  if (contradiction !== undefined)
    throw new Error(`The reply contradicts itself: ${contradiction}.`);
}

const unsupportedError = (type: string): object => ({
  code: unsupportedItem,
  message: `The reply waits for an answer to its "${type}", and this adapter does not support it. Remove this tool from the request, or offer a function or a custom tool instead.`,
});

/** Why a response ended. */
interface ResponseStop {
  readonly native: string;
  readonly detail?: string;
}

/**
 * If the status, the event's name and `incomplete_details` disagree, there are two stops. The worst
 * counts.
 */
function responseStops(
  response: ResponseBody,
  eventStatus: ResponseBody["status"],
  refused: boolean,
): readonly ResponseStop[] {
  const { status, incomplete_details, error } = response;
  const native = status ?? eventStatus;
  const reason = incomplete_details?.reason;
  const details: Readonly<Record<string, string | undefined>> = {
    completed: refused ? "refusal" : undefined,
    incomplete: reason,
    failed: routerTypeOf(response) ?? error?.code,
  };
  const stopOf = (name: string): ResponseStop => {
    const detail = Object.hasOwn(details, name) ? details[name] : undefined;
    return { native: name, ...(detail !== undefined && { detail }) };
  };
  const isCut = native !== "incomplete" && (eventStatus === "incomplete" || reason !== undefined);
  return [
    ...(native === undefined ? [] : [stopOf(native)]),
    ...(isCut ? [stopOf("incomplete")] : []),
  ];
}

/** OpenRouter's codes distinguish few errors; the response says more. */
function routerTypeOf(response: object): string | undefined {
  const { error_type: type } = fieldsOf(response);
  return typeof type === "string" ? type : undefined;
}

/**
 * Emits an error with the first code that the table lists; if none is listed, with the first code.
 */
export function emitResponsesError(emit: Emit, error: unknown, response: object = {}): void {
  const { code, type, message } = (
    typeof error === "object" && error !== null ? error : { message: error }
  ) as Record<string, unknown>;
  const names = [routerTypeOf(response), code, type === "error" ? undefined : type].map((name) =>
    typeof name === "number" ? String(name) : name,
  );
  const codes = names.filter((name) => typeof name === "string" && name !== "") as string[];
  const native = codes.find((name) => Object.hasOwn(responsesErrors, name)) ?? codes[0] ?? "error";
  emit({
    type: "error",
    native,
    message: typeof message === "string" ? message : JSON.stringify(error),
  });
}
