import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The timers of one connection. While they are held back, the connection does nothing by itself,
 * like a process that is stopped: it does not renew its leases.
 */
export interface HeldTimers {
  /** Runs the work. Timers that it starts, now or later, belong to the connection. */
  run<Result>(work: () => Result): Result;
  /** From now on a timer that ends waits for `resume`. */
  hold(): void;
  /** Calls what was held back, in its order. */
  resume(): void;
  /** How many timers have ended and wait. */
  waiting(): number;
  /** Lets the timers go without a call. */
  dispose(): void;
}

type Timer = ReturnType<typeof setTimeout>;
interface Hold {
  isHolding: boolean;
  readonly waiting: Map<unknown, () => void>;
}
const holdOfCaller = new AsyncLocalStorage<Hold>();
const activeHolds = new Set<Hold>();
const originals = {
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  clearTimeout: globalThis.clearTimeout,
  clearInterval: globalThis.clearInterval,
};

type StartTimer = (
  callback: (...args: unknown[]) => void,
  ms?: number,
  ...args: unknown[]
) => Timer;

/** The function with its other properties, such as the one for `promisify`. */
const likeOriginal = <Wrapped extends StartTimer>(wrapped: Wrapped, original: object): Wrapped =>
  Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(original));

function holdable(original: StartTimer): StartTimer {
  const start: StartTimer = (callback, ms, ...args) => {
    const hold = holdOfCaller.getStore();
    if (hold === undefined || typeof callback !== "function")
      return original(callback, ms, ...args);
    const timer: Timer = original(() => {
      const call = (): void => callback(...args);
      if (hold.isHolding) hold.waiting.set(timer, call);
      else call();
    }, ms);
    return timer;
  };
  return likeOriginal(start, original);
}

const clearing =
  (original: (timer?: Timer) => void): ((timer?: Timer) => void) =>
  (timer) => {
    for (const { waiting } of activeHolds) waiting.delete(timer);
    original(timer);
  };

/** Replaces the global timers while there is a connection. Other callers see no difference. */
function replaceTimers(): void {
  Object.assign(globalThis, {
    setTimeout: holdable(originals.setTimeout as StartTimer),
    setInterval: holdable(originals.setInterval as StartTimer),
    clearTimeout: clearing(originals.clearTimeout),
    clearInterval: clearing(originals.clearInterval),
  });
}

/** Creates the timers of a connection. Call `dispose` at its end. */
export function createHeldTimers(): HeldTimers {
  const hold: Hold = { isHolding: false, waiting: new Map() };
  if (activeHolds.size === 0) {
    Object.assign(originals, {
      setTimeout: globalThis.setTimeout,
      setInterval: globalThis.setInterval,
      clearTimeout: globalThis.clearTimeout,
      clearInterval: globalThis.clearInterval,
    });
    replaceTimers();
  }
  activeHolds.add(hold);
  return {
    run: (work) => holdOfCaller.run(hold, work),
    hold: () => {
      hold.isHolding = true;
    },
    resume: () => {
      hold.isHolding = false;
      const calls = [...hold.waiting.values()];
      hold.waiting.clear();
      for (const call of calls) call();
    },
    waiting: () => hold.waiting.size,
    dispose: () => {
      hold.waiting.clear();
      if (activeHolds.delete(hold) && activeHolds.size === 0) Object.assign(globalThis, originals);
    },
  };
}
