import {
  anyObject,
  anyText,
  checkOptions,
  type OptionKinds,
  positiveInteger,
} from "@fullstop/core/adapter";
import {
  deletedError,
  type Journal,
  type JournalTable,
  type LeaseOptions,
  leasedJournal,
} from "@fullstop/loop/journal";
import type { VirtualObjectDefinition } from "@restatedev/restate-sdk";
import { assertRequired } from "./assert-required.ts";
import { type CallJournal, createJournalClient, isTransient } from "./journal-client.ts";
import { type Holder, journalObject } from "./journal-object.ts";
import { parseStateKey, type StateKey } from "./state-key.ts";

/** The options of `restateJournal`. */
export interface RestateJournalOptions extends LeaseOptions {
  /** The address of Restate that takes invocations, such as `http://localhost:8080`. */
  readonly ingressUrl: string;
  /** Headers of each request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The name of the virtual object in Restate. Default: `FullstopJournal`. */
  readonly name?: string | undefined;
}

/** A journal in Restate. */
export interface RestateJournal extends Journal {
  /** The virtual object that holds the steps, for `serve({ services: [journal.object] })`. */
  readonly object: VirtualObjectDefinition<string, unknown>;
  /** Removes the steps of a run. False: a process has the run, so nothing was removed. */
  deleteRun(runId: string): Promise<boolean>;
}

const journalKinds: OptionKinds<Required<RestateJournalOptions>> = {
  ingressUrl: anyText,
  headers: anyObject,
  name: anyText,
  leaseMs: positiveInteger,
};

/** A request with such a step is below Restate's limit of 32 MiB, also if each byte is escaped. */
const maxStepBytes = 8 * 1024 * 1024;

/** A call without an answer counts as lost, and is made again, after this time or the lease. */
const longestCallMs = 30_000;

/**
 * Keeps the steps of runs in Restate, in the state of a virtual object for each run: no other
 * database is needed. A step is a call to Restate over HTTP.
 * @throws TypeError or RangeError for options that cannot work. The message names the option.
 */
export function restateJournal(options: RestateJournalOptions): RestateJournal {
  checkOptions(options, journalKinds, { of: "restateJournal", hidesValues: true });
  assertRequired(options, ["ingressUrl"], "restateJournal");
  const { name = "FullstopJournal", leaseMs = 30_000 } = options;
  const call = createJournalClient({
    ...options,
    name,
    timeoutMs: Math.min(leaseMs, longestCallMs),
  });
  return {
    object: journalObject(name),
    open: leasedJournal(toTable(call), { leaseMs }).open,
    deleteRun: (runId) => call("delete", runId),
  };
}

const toTable = (call: CallJournal): JournalTable => ({
  maxStepBytes,
  claim: (runId, leaseMs) => call("claim", runId, { leaseMs }),
  renew: async (runId, fence, leaseMs) =>
    isHeld(runId, await call("renew", runId, { fence, leaseMs })),
  load: (runId) => loadPages(call, runId),
  write: async (runId, fence, { step: { key }, json }) =>
    isHeld(runId, await call("write", runId, { fence, key, json })),
  release: async (runId, fence, end) => isHeld(runId, await call("release", runId, { fence, end })),
  isTransient,
});

function isHeld(runId: string, holder: Holder): boolean {
  if (holder === "deleted") throw deletedError(`The run "${runId}" was deleted from Restate`);
  return holder === "caller";
}

/** The largest page. A step that is larger is a page of its own. */
const pageLength = 4 * 1024 * 1024;
const keysInPage = 100;

interface LoadedStep {
  readonly key: string;
  readonly json?: string | undefined;
}

/** The steps of a run: first those that began, which have no value, then the values in pages. */
async function* loadPages(call: CallJournal, runId: string): AsyncGenerator<readonly LoadedStep[]> {
  const steps = (await call("stateKeys", runId)).flatMap((key) => parseStateKey(key) ?? []);
  yield steps.filter(({ length }) => length === undefined);
  for (const page of planPages(steps)) {
    const values = await call(
      "read",
      runId,
      page.map(({ stateKey }) => stateKey),
    );
    yield page.map(({ key }, at) => ({ key, json: values[at] }));
  }
}

type EndedStep = Required<StateKey>;
function planPages(steps: readonly StateKey[]): readonly (readonly EndedStep[])[] {
  const pages: EndedStep[][] = [];
  let left = 0;
  for (const step of steps) {
    if (!hasEnded(step)) continue;
    const page = pages.at(-1);
    left -= step.length;
    if (page !== undefined && left >= 0 && page.length < keysInPage) page.push(step);
    else {
      pages.push([step]);
      left = pageLength - step.length;
    }
  }
  return pages;
}

const hasEnded = (step: StateKey): step is EndedStep => step.length !== undefined;
