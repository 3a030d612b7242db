import type { PackageOrigin } from "../newest.ts";

/** One run of `conformance gateway`: what it asks, and the command that starts the gateway. */
export interface GatewayRun {
  /** The options of the command, and the words after `--`. */
  readonly options: readonly string[];
  readonly start: readonly string[];
}

/** A gateway that installs from a registry, or belongs to this repository. */
export interface FieldGateway {
  readonly name: string;
  readonly title: string;
  /** A note for the reader of the report. */
  readonly note?: string;
  readonly version: string;
  /** Absent for that of this repository. */
  readonly origin?: PackageOrigin;
  /** Installs it, and returns its runs. */
  prepare(): Promise<readonly GatewayRun[]>;
}

/** What a front is called with: the address as the SDK of its protocol takes it. */
export const chat = "--front=chat=http://127.0.0.1:{port}/v1";
export const responses = "--front=responses=http://127.0.0.1:{port}/v1";
export const anthropic = "--front=anthropic=http://127.0.0.1:{port}";
export const gemini = "--front=gemini=http://127.0.0.1:{port}";
