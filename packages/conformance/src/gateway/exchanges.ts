import type { ClaimedStop } from "@fullstop/core/adapter";
import { claimedStopOf } from "../harness/check.ts";
import { allRepliesFor, isReplyCall } from "../harness/scenarios.ts";
import { wordReplies } from "../harness/word-replies.ts";
import type { WireName } from "../replay/builtin.ts";
import type { Frames, Wire } from "../wire.ts";
import { wires } from "../wires/index.ts";
import { documentedStops } from "./protocols.ts";

/**
 * Why a reply is played. `documented`: as its vendor documents it. `variant`: as other hosts write
 * it, or damaged. `invalid`: a finished reply whose call has an input that is not JSON. `cut`: its
 * connection ends too early. `error`: an error after a part of it. `status`: an error status instead
 * of it. `early`: an error status before the request was read. `form`: the answer to a form.
 */
export type PlayedKind =
  | "documented"
  | "variant"
  | "invalid"
  | "cut"
  | "error"
  | "status"
  | "early"
  | "form";

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/** A reply as it is played. */
export interface ReplyForms {
  readonly file: string;
  readonly name: string;
  readonly kind: PlayedKind;
  readonly frames: Frames;
  readonly body?: string | undefined;
}

const isDocumented = (protocol: WireName, stop: ClaimedStop): boolean =>
  documentedStops[protocol].includes(stop);

/** The replies that a wire can express, and its fixtures. */
export function exchangesOf(protocol: WireName): readonly ReplyForms[] {
  const wire: Wire = wires[protocol];
  const scenarios = allRepliesFor(wire).map(({ name, reply }): ReplyForms => {
    const claimed = claimedStopOf(wire, reply.stop);
    const isUnseen = wire.stopsWithoutCalls?.includes(reply.stop) && reply.blocks.some(isReplyCall);
    const unusual = name.endsWith("the stop reason of a finished text") || isUnseen;
    return {
      file: slug(name),
      name,
      kind: isDocumented(protocol, claimed) && !unusual ? "documented" : "variant",
      frames: wire.frames(reply),
      body: wire.whole?.(reply),
    };
  });
  // Public recordings of these stop reasons have no content.
  const withoutContent = (wire.stopsWithoutCalls ?? []).flatMap((stop): readonly ReplyForms[] => {
    const claimed = claimedStopOf(wire, stop);
    const reply = { blocks: [], stop, output: 0 };
    const name = `no content, ${claimed}`;
    const forms = { frames: wire.frames(reply), body: wire.whole?.(reply) };
    return isDocumented(protocol, claimed)
      ? [{ file: slug(name), name, kind: "documented", ...forms }]
      : [];
  });
  const fixtures = (wire.fixtures ?? []).map(
    ({ file, name, frames, body, evidence }): ReplyForms => ({
      file: `fixture-${file ?? slug(name)}`,
      name,
      kind: evidence === "documented" ? "documented" : "variant",
      frames,
      body,
    }),
  );
  const words = wordReplies(wire).flatMap(({ name, says, frames, body }): readonly ReplyForms[] => {
    const kind = says === "small usage" ? "documented" : "variant";
    return frames === undefined ? [] : [{ file: slug(name), name, kind, frames, body }];
  });
  return [...scenarios, ...withoutContent, ...words, ...fixtures];
}
