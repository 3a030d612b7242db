/** What an engine does that wakes runs. */
export interface Engine {
  /** The calls of the engine for this run go to this port from now on. Starts a new run. */
  admit(run: string, port: number): Promise<void>;
  /** What the engine says about the end of the run. */
  result(run: string): Promise<EngineResult>;
  /** The name under which the workers serve a run. */
  serviceOf(run: string): string;
  close(): void;
}
export interface EngineResult {
  readonly status: string;
  readonly text: string;
}
