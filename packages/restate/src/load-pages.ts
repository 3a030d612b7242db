import type { CallJournal } from "./journal-client.ts";
import { parseStateKey, type StateKey } from "./state-key.ts";

/** The largest page. A step that is larger is a page of its own. */
const pageLength = 4 * 1024 * 1024;
const keysInPage = 100;

interface LoadedStep {
  readonly key: string;
  readonly json?: string | undefined;
}

/** The steps of a run: first those that began, which have no value, then the values in pages. */
export async function* loadPages(
  call: CallJournal,
  runId: string,
): AsyncGenerator<readonly LoadedStep[]> {
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
