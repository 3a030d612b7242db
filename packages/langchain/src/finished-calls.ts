import type { Turn } from "@fullstop/core";
import { fieldsOf } from "@fullstop/core/adapter";
import {
  checkGuardOptions,
  type Fetch,
  type GuardOptions,
  guard,
  replyIdHeader,
} from "@fullstop/guard";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { guardedModel, type Wrap } from "./guarded-model.ts";

/**
 * A middleware for `createAgent`: the tool calls of a reply are given out only if the reply is proven
 * finished. Otherwise a note is in their place, and the finish reason is an honest one. For each
 * request it gives the agent a copy of the model whose client has the guard as its `fetch`. Put it
 * last in the list, next to the model. The options are those of the guard; `strict` and
 * `normalizeCalls` are `true` by default.
 *
 * @throws TypeError or RangeError for an unknown option, and for a value that cannot work.
 */
export function finishedCalls(options: GuardOptions = {}): AgentMiddleware {
  checkGuardOptions(options, "finishedCalls");
  const verdicts = new Map<string, Turn>();
  const guardOf = createGuards({
    strict: true,
    // LangChain takes a call without an input for one that is not valid.
    normalizeCalls: true,
    ...options,
    onReply(report) {
      verdicts.set(report.replyId, report.turn);
      options.onReply?.(report);
    },
  });
  return createMiddleware({
    name: "finishedCalls",
    async wrapModelCall(request, handler) {
      const replyIds: string[] = [];
      const wrap: Wrap = (fetch, owner) => {
        const guarded = guardOf(fetch, owner);
        return async (...call) => {
          const response = await guarded(...call);
          replyIds.push(response.headers.get(replyIdHeader) ?? "");
          return response;
        };
      };
      try {
        const model = guardedModel(await instanceOf(request.model), wrap);
        const reply = await handler({ ...request, model });
        checkCalls(reply, verdicts.get(replyIds.at(-1) ?? ""));
        return reply;
      } finally {
        for (const id of replyIds) verdicts.delete(id);
      }
    },
  });
}

/** One guard for each client, so that it remembers what it sent again. */
function createGuards(options: GuardOptions): (fetch: Fetch, owner?: object) => Fetch {
  const guards = new WeakMap<object, Fetch>();
  return (fetch, owner = fetch) => {
    const guarded = guards.get(owner) ?? guard(fetch, options);
    guards.set(owner, guarded);
    return guarded;
  };
}

/** The model itself, of one that `createAgent` or `initChatModel` got by its name. */
async function instanceOf<Model>(model: Model): Promise<Model> {
  const { _getModelInstance: get } = fieldsOf(model);
  return typeof get === "function" ? get.call(model) : model;
}

/** The calls of an agent are those that the gate issued. */
function checkCalls(reply: unknown, turn: Turn | undefined): void {
  const issued = turn?.calls.map(({ name }) => name) ?? [];
  const unknown = namesOf(reply).filter((name) => !issued.includes(name));
  if (unknown.length > 0) throw new Error(unjudged(unknown));
}

/** The tools that a reply calls. A typed answer comes with the messages that it was read from. */
const namesOf = (reply: unknown): readonly string[] =>
  listOf(fieldsOf(reply)["messages"] ?? [reply]).flatMap((message) =>
    listOf(fieldsOf(message)["tool_calls"]).map((call) => String(fieldsOf(call)["name"])),
  );
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const unjudged = (names: readonly string[]): string =>
  `The model called ${names.join(", ")}, and finishedCalls() did not see the reply, so nothing of it ran. Put finishedCalls() last in \`middleware\`; then no other middleware changes the model behind it. If it is last, the client of the model does not use the \`fetch\` that it was given.`;
