import type { Command } from "commander";

/** A command of this program. Only the one that is named is loaded: each needs other packages. */
export interface Part {
  readonly summary: string;
  load(): Promise<LoadedPart>;
}

export interface LoadedPart {
  readonly command: Command;
  /** Describes what the command threw. By default the message is enough. */
  readonly describe?: (thrown: unknown) => string;
}

/** Every command, in the order of the help. */
export const parts: Readonly<Record<string, Part>> = {
  demo: {
    summary: "watch an agent while its replies are cut, dropped, filtered and relabelled",
    load: async () => ({ command: (await import("./demo/command.ts")).demoCommand() }),
  },
  init: {
    summary: "write a small program that runs without a key",
    load: async () => ({ command: (await import("./init/command.ts")).initCommand() }),
  },
  gateway: {
    summary: "guard the agents that you have, in any language, behind a base URL",
    load: async () => {
      const { gatewayCommand } = await import("@fullstop/gateway/command");
      return { command: gatewayCommand(process.argv.slice(3)) };
    },
  },
  conformance: {
    summary: "judge a program, an adapter, a gateway, a host or a journal",
    load: async () => {
      const { conformanceCommand, describeError } = await import(
        "@fullstop/conformance-cli/command"
      );
      return { command: conformanceCommand(), describe: describeError };
    },
  },
  inspect: {
    summary: "show a recorded run: what arrived, what the gate decided, what the loop did",
    load: async () => ({ command: (await import("./inspect/command.ts")).inspectCommand() }),
  },
  lint: {
    summary: "find what a provider would refuse in a transcript, and repair it",
    load: async () => ({ command: (await import("./lint/command.ts")).lintCommand() }),
  },
};
