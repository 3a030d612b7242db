import { fieldsOf } from "@fullstop/core/adapter";
import {
  checkGuardOptions,
  type Fetch,
  type GuardOptions,
  type GuardReport,
  guard,
  replyIdHeader,
} from "@fullstop/guard";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { checkCalls } from "./check-calls.ts";
import { copyWith, guardedModel, type Wrap } from "./guarded-model.ts";

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
  const verdicts = new Map<string, GuardReport>();
  const guardOf = createGuards({
    strict: true,
    // LangChain takes a call without an input for one that is not valid.
    normalizeCalls: true,
    ...options,
    onReply(report) {
      verdicts.set(report.replyId, report);
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
        const { configurable = {} } = request.runtime;
        const model = guardedModel(await instanceOf(request.model, configurable), wrap);
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

/**
 * The model itself, of one that `createAgent` or `initChatModel` got by its name: that which the
 * `configurable` of the run asks for.
 */
async function instanceOf<Model>(model: Model, configurable: object): Promise<Model> {
  const { _getModelInstance: get, bound, config } = fieldsOf(model);
  if (typeof get === "function") return get.call(model, { configurable });
  if (bound === undefined) return model;
  const asked = { ...fieldsOf(fieldsOf(config)["configurable"]), ...configurable };
  return copyWith(model, { bound: await instanceOf(bound, asked) });
}
