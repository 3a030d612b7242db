import { execFile } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import type { Service, TemporalService } from "@tooling/test/services";
import type { Answer, Question } from "../temporal/workflow.ts";
import type { World } from "./orders.ts";
import { type Program, start } from "./program.ts";

/** The servers that a worker needs. */
export interface Servers {
  readonly temporal: TemporalService;
  readonly postgres: Service;
}

/** Starts a worker. Resolves when it takes work. */
export async function startWorker(
  { model }: World,
  { temporal, postgres }: Servers,
  env: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const places = { DATABASE_URL: postgres.url, TEMPORAL_ADDRESS: temporal.address };
  const settings = { ...places, LEASE_MS: "1500", GRACE_MS: "0", ...env };
  const worker = start("temporal/worker", { model: model.url, env: settings });
  await worker.printed("Serving.");
  return worker;
}

/** How a workflow ended, as `temporal workflow result` prints it. */
export interface Closed {
  readonly status: "COMPLETED" | "FAILED" | "CANCELED";
  readonly result?: { readonly status: string; readonly text: string };
  readonly closeEvent?: object;
}

/** A workflow, used as the first lines of the worker say. */
export interface Order {
  begin(): Promise<void>;
  /** Resolves when the run asks its question with this number. Default: the first. */
  asks(number?: number): Promise<Question>;
  answer(answer: Answer): Promise<void>;
  cancel(): Promise<void>;
  ends(): Promise<Closed>;
}

export function orderOf({ temporal: { program, address } }: Servers, id: string): Order {
  const use = async (command: string, ...args: readonly string[]): Promise<unknown> => {
    const place = ["--workflow-id", id, "--address", address, "--output", "json"];
    const running = promisify(execFile)(program, ["workflow", command, ...args, ...place]);
    const { stdout } = await running.catch((failed: Failed) => {
      if (failed.stdout === "") throw failed;
      return failed; // the workflow failed, and the output says why
    });
    return stdout.startsWith("{") ? JSON.parse(stdout) : undefined;
  };
  const kind = ["--type", "order", "--task-queue", "orders"];
  return {
    begin: async () => void (await use("start", ...kind, "--input", '"A bolt, please."')),
    asks: async (number = 1) => {
      for (;;) {
        const { queryResult } = (await use("query", "--name", "question")) as Queried;
        const [asked] = queryResult;
        if ("number" in asked && asked.number === number) return asked;
        await setTimeout(500);
      }
    },
    answer: async (answer) =>
      void (await use("signal", "--name", "answer", "--input", JSON.stringify(answer))),
    cancel: async () => void (await use("cancel")),
    ends: async () => (await use("result")) as Closed,
  };
}

type Failed = Error & { readonly stdout: string };
interface Queried {
  /** In place of `null`, the program prints how it is encoded. */
  readonly queryResult: readonly [Question | { readonly metadata: object }];
}
