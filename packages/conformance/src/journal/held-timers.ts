import { AsyncLocalStorage } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers";
import timersPromises from "node:timers/promises";

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

type StartTimer = (
  callback: (...args: unknown[]) => void,
  ms?: number,
  ...args: unknown[]
) => Timer;

/** The function with its other properties, such as the one for `promisify`. */
const likeOriginal = <Wrapped extends object>(wrapped: Wrapped, original: object): Wrapped =>
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

/** Resolves at once, or when the connection goes on. */
const whenResumed = (hold: Hold | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (hold?.isHolding) hold.waiting.set(resolve, resolve);
    else resolve();
  });

type Sleep = typeof timersPromises.setTimeout;
const holdableSleep =
  (original: Sleep): Sleep =>
  async (...args) => {
    const hold = holdOfCaller.getStore();
    const value = await original(...args);
    await whenResumed(hold);
    return value as never;
  };

type Ticks = typeof timersPromises.setInterval;
const holdableTicks = (original: Ticks): Ticks =>
  async function* (...args) {
    const hold = holdOfCaller.getStore();
    for await (const value of original(...args)) {
      await whenResumed(hold);
      yield value as never;
    }
    return undefined;
  };

/** Sets members of the global object and of the modules of Node, for all who import them. */
function setTimers(
  own: Partial<typeof timers>,
  promises: Pick<typeof timersPromises, "setTimeout" | "setInterval">,
): void {
  Object.assign(globalThis, own);
  Object.assign(timers, own);
  Object.assign(timersPromises, promises);
  try {
    syncBuiltinESMExports();
  } catch {
    // workerd does not have it. The suite says so if it could hold back no timer.
  }
}

/**
 * Replaces the timers of this process. Only a caller that belongs to a connection sees a
 * difference. Returns a function that puts the originals back.
 */
function replaceTimers(): () => void {
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
  const originals = { setTimeout, setInterval, clearTimeout, clearInterval };
  const promises = {
    setTimeout: timersPromises.setTimeout,
    setInterval: timersPromises.setInterval,
  };
  setTimers(
    {
      setTimeout: holdable(setTimeout as StartTimer) as typeof setTimeout,
      setInterval: holdable(setInterval as StartTimer) as typeof setInterval,
      clearTimeout: clearing(clearTimeout) as typeof clearTimeout,
      clearInterval: clearing(clearInterval) as typeof clearInterval,
    },
    {
      setTimeout: holdableSleep(promises.setTimeout),
      setInterval: holdableTicks(promises.setInterval),
    },
  );
  return () => setTimers(originals, promises);
}
let putBack = (): void => {};

/** Creates the timers of a connection. Call `dispose` at its end. */
export function createHeldTimers(): HeldTimers {
  const hold: Hold = { isHolding: false, waiting: new Map() };
  if (activeHolds.size === 0) putBack = replaceTimers();
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
      if (activeHolds.delete(hold) && activeHolds.size === 0) putBack();
    },
  };
}
