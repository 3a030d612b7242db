import type { ClauseText } from "../clause.ts";
import type { Reference } from "../reference.ts";

const rule = (
  level: ClauseText["level"],
  sentence: string,
  ...references: readonly Reference[]
): Omit<ClauseText, "id"> => ({ level, rule: sentence, references });

/** The id of a clause for gateways. */
export type GatewayClauseId =
  | "relabel.limit"
  | "relabel.blocked"
  | "relabel.failed"
  | "relabel.finished"
  | "relabel.calls"
  | "loss.call"
  | "loss.text"
  | "loss.error"
  | "loss.usage"
  | "loss.content"
  | "merge.calls"
  | "merge.stops"
  | "merge.errors"
  | "break.input"
  | "break.repair"
  | "break.reply"
  | "break.cut"
  | "break.open"
  | "upstream.sent"
  | "upstream.cap"
  | "upstream.prompt"
  | "upstream.tools"
  | "upstream.results"
  | "upstream.valid"
  | "variant.finished"
  | "variant.unfinished"
  | "exact.bytes";

const gatewayRules: Readonly<Record<GatewayClauseId, Omit<ClauseText, "id">>> = {
  "relabel.limit": rule(
    "must",
    "A reply that was cut at a limit does not leave as finished.",
    { issue: "BerriAI/litellm#25825" },
    { issue: "BerriAI/litellm#10768", note: "`length` was reported as `stop`" },
    {
      issue: "NousResearch/hermes-agent#7693",
      note: "a client that guards itself against routers that rewrite `length` to `tool_calls`",
    },
  ),
  "relabel.blocked": rule("must", "A refused or filtered reply does not leave as finished.", {
    issue: "envoyproxy/ai-gateway#2121",
    note: "unknown reasons became `stop` silently",
  }),
  "relabel.failed": rule(
    "must",
    "A reply that upstream reports as paused, malformed or failed does not leave as finished.",
    { issue: "Portkey-AI/gateway#1200" },
    { issue: "Portkey-AI/gateway#363", note: "unknown stop reasons became `stop`" },
  ),
  "relabel.finished": rule("must", "A finished reply leaves as finished.", {
    issue: "theopenco/llmgateway#1682",
    note: "a reply became a status 500",
  }),
  "relabel.calls": rule(
    "must",
    "Calls leave with the native stop reason that asks for tools, if upstream sent it or has no other.",
    { issue: "BerriAI/litellm#34692" },
    {
      issue: "BerriAI/litellm#22900",
      note: "calls left as `end_turn` or `stop`, and agents dropped them",
    },
  ),
  "loss.call": rule("must", "Every call of a finished reply arrives.", {
    issue: "QuantumNous/new-api#7252",
    note: "the calls of the last frame were dropped",
  }),
  "loss.text": rule("must", "The text of a finished reply arrives as it is.", {
    issue: "BerriAI/litellm#32686",
    note: "parts of a reply were lost, and only a comparison with the whole reply shows that",
  }),
  "loss.error": rule("must", "An error of upstream leaves as an error.", {
    issue: "Portkey-AI/gateway#1797",
    note: "a failure of upstream became a clean status 200",
  }),
  "loss.usage": rule("should", "The output tokens of a finished reply arrive.", {
    issue: "vllm-project/vllm#58228",
    note: "only the usage showed that the output cap had cut a call",
  }),
  "loss.content": rule(
    "should",
    "In one protocol, everything that the next request must return arrives: signed reasoning and the blocks of server tools.",
    {
      url: "https://platform.claude.com/docs/en/build-with-claude/extended-thinking",
      note: "thinking blocks go back unchanged, with their signatures",
    },
  ),
  "merge.calls": rule("must", "Two calls do not become one.", {
    issue: "su-kaka/gcli2api#406",
    note: "parallel calls without ids and under one index became one",
  }),
  "merge.stops": rule("must", "A limit does not leave as a refusal or a filter, nor the reverse.", {
    issue: "envoyproxy/ai-gateway#2121",
    note: "a refusal and a full context window were merged",
  }),
  "merge.errors": rule(
    "should",
    "An error that a later attempt may cure does not leave as one that it cannot cure, nor the reverse.",
    {
      issue: "theopenco/llmgateway#1682",
      note: "an incomplete reply became a status 500, for which clients repeat the request",
    },
  ),
  "break.input": rule(
    "must",
    "A call that arrives has the name and the input that upstream sent, and comes once.",
    {
      issue: "experientiallabs/experiential#896",
      note: "inputs that were cut in the middle of a value left as completed",
    },
  ),
  "break.repair": rule("must", "An input that is not valid does not become a call that runs.", {
    issue: "maximhq/bifrost#4679",
    note: "cut bytes were parsed as valid but incomplete JSON",
  }),
  "break.reply": rule(
    "must",
    "A finished reply leaves in a form that a strict reader of the protocol accepts.",
    { issue: "maximhq/bifrost#6081", note: "`message_stop` was missing" },
  ),
  "break.cut": rule(
    "must",
    "A reply whose connection ended too early does not leave as finished.",
    { issue: "BerriAI/litellm#32159", note: "a cut connection became a clean end" },
    { issue: "Portkey-AI/gateway#1797", note: "upstream died, and the client saw a clean end" },
  ),
  "break.open": rule("must", "The reply in front ends when upstream has ended.", {
    issue: "experientiallabs/experiential#758",
    note: "streams of relays stayed open or closed without an end",
  }),
  "upstream.sent": rule("must", "Every request arrives at upstream.", {
    url: "https://developers.openai.com/api/docs/guides/error-codes",
    note: "an answer that upstream did not give cannot be compared with one",
  }),
  "upstream.cap": rule("must", "The output cap arrives at upstream.", {
    issue: "mattmezza/humux#77",
    note: "a cap that was not requested, and thirty loops; a reader compares with what it sent",
  }),
  "upstream.prompt": rule("must", "Instructions and messages arrive at upstream.", {
    url: "https://platform.claude.com/docs/en/api/messages",
    note: "the model knows only what the request says",
  }),
  "upstream.tools": rule("must", "Every tool arrives at upstream, with its properties.", {
    url: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use",
    note: "the model writes inputs by the schema that it gets",
  }),
  "upstream.results": rule(
    "must",
    "Each result arrives at upstream with the id or the name of its call.",
    {
      url: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use",
      note: "vendors refuse a result whose call is not in the message before it",
    },
  ),
  "upstream.valid": rule("must", "A valid request arrives at upstream as a valid request.", {
    url: "https://platform.claude.com/docs/en/api/errors",
    note: "vendors refuse others with the status 400",
  }),
  "variant.finished": rule(
    "should",
    "A finished reply in the words of another host of the protocol arrives with its calls and its text.",
    {
      issue: "vllm-project/vllm#9053",
      note: "hosts of one protocol number, name and end calls differently",
    },
  ),
  "variant.unfinished": rule(
    "should",
    "No call of a reply that is unfinished, contradictory or incomplete in the words of another host can run.",
    {
      issue: "experientiallabs/experiential#896",
      note: "relays forwarded cut inputs as completed ones",
    },
  ),
  "exact.bytes": rule("should", "In one protocol, a finished reply leaves byte for byte.", {
    url: "https://html.spec.whatwg.org/multipage/server-sent-events.html",
    note: "unknown fields survive only if a gateway does not write the reply anew",
  }),
};

/** The clauses for gateways, in their order. */
export const gatewayClauses: readonly ClauseText[] = Object.entries(gatewayRules).map(
  ([id, text]) => ({ id, ...text }),
);
