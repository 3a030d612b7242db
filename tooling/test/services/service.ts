/** A server that a test or a program started, on a port of the loopback. */
export interface Service {
  readonly url: string;
  /** The process of the server. It differs after each `restart`. */
  readonly pid: number;
  /** Ends the server as its manual says, and removes its folder. */
  stop(): Promise<void>;
  /** Ends the process of the server by SIGKILL. Its data stay for `restart`. */
  kill(): Promise<void>;
  /** Starts the server again with the same data and port. Stops it first if it runs. */
  restart(): Promise<void>;
}

/** The program of a server is missing. The message says what to install. */
export class MissingServiceError extends Error {
  override readonly name = "MissingServiceError";
}
