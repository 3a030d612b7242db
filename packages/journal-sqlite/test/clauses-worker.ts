import { type JournalSubject, judgeJournal } from "@fullstop/conformance/journal/judge";
import { durableObjectJournal, type ObjectStorage } from "@fullstop/journal-sqlite/durable-object";

/** What the tests use of an object. */
interface Context {
  readonly storage: ObjectStorage & { deleteAll(): Promise<void> };
  abort(): void;
}

const subjectOf = ({ storage }: Context): JournalSubject => ({
  name: "durableObjectJournal",
  create: ({ leaseMs }) => ({
    connect: () => durableObjectJournal(storage, { leaseMs }),
    block: () => {
      storage.sql.exec(
        "create trigger full before insert on journal_steps begin select raise(abort, 'full'); end",
      );
      return () => void storage.sql.exec("drop trigger full");
    },
    remove: () => storage.deleteAll(),
    close: () => storage.deleteAll(),
  }),
});

async function judge(context: Context, only: string): Promise<unknown> {
  for await (const { clause: _, ...verdict } of judgeJournal(subjectOf(context), { only }))
    return verdict;
  return "no verdict";
}

const step = { key: "r/1/1", kind: "tool" } as const;

/** What a test asks an object to do, by the path of its request. Any other path is a clause. */
const asks: Readonly<Record<string, (context: Context) => Promise<unknown>>> = {
  /** Takes a run for ten minutes, says what is recorded of a step, and begins it. */
  async begin({ storage }) {
    const lease = await durableObjectJournal(storage, { leaseMs: 600_000 }).open("r");
    const recorded = await lease.read(step.key);
    await lease.begin(step);
    return recorded ?? "nothing";
  },
  async reset(context) {
    context.abort();
  },
  /** Writes with the lease of a run that was deleted and taken again. */
  async stale({ storage }) {
    const journal = durableObjectJournal(storage);
    const stale = await journal.open("r");
    await storage.deleteAll();
    const lease = await journal.open("r");
    const kind = await stale.begin(step).catch(({ kind }: { readonly kind: string }) => kind);
    await lease.end(step, "1");
    return kind;
  },
};

export class Store {
  readonly #context: Context;
  constructor(context: Context) {
    this.#context = context;
  }
  async fetch({ url }: Request): Promise<Response> {
    const name = new URL(url).pathname.slice(1);
    return Response.json(await (asks[name]?.(this.#context) ?? judge(this.#context, name)));
  }
}

interface Env {
  readonly STORE: { getByName(name: string): { fetch(url: string): Promise<Response> } };
}
/** Each host name has an object of its own. */
export default {
  fetch: ({ url }: Request, { STORE }: Env): Promise<Response> =>
    STORE.getByName(new URL(url).hostname).fetch(url),
};
