/** `node --import` moves the clock of a process ahead by CLOCK_AHEAD_MINUTES. */
const aheadMs = Number(process.env["CLOCK_AHEAD_MINUTES"]) * 60_000;
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...given: readonly [] | readonly [number | string | Date]) {
    super(given.length === 0 ? RealDate.now() + aheadMs : given[0]);
  }
  static override now = (): number => RealDate.now() + aheadMs;
} as DateConstructor;
