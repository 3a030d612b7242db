import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { root, runProgram } from "@tooling/publish/process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const forkServer = join(root, "packages/conformance-cli/examples/python/fork_server.py");
const folder = mkdtempSync(join(tmpdir(), "fork-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The module notes each import; the program prints what a run must have of its own. */
const slow = `import os
with open(os.path.join(os.path.dirname(__file__), "imports.txt"), "a") as file:
    file.write(os.environ.get("FROM_PROGRAM", "unset") + "\\n")
state = []
`;
const program = `"""A program."""
import os
import sys

os.environ["FROM_PROGRAM"] = "set"

import slow

slow.state.append(1)
print(sys.argv[1:], os.getcwd(), os.environ.get("OF_RUN"), __name__, len(slow.state))
if "exit" in sys.argv:
    sys.exit(7)
if "wait" in sys.argv:
    import time
    with open("pid.txt", "w") as file:
        file.write(str(os.getpid()))
    time.sleep(600)
`;

const python = "python3";
const argumentsOf = (file: string, ...words: readonly string[]): readonly string[] => [
  forkServer,
  join(folder, file),
  ...words,
];
// The server ends when the folder of its socket is removed.
const env = { TMPDIR: folder, FORK_SERVER_IDLE: "30" };
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await after(20);
}

describe.skipIf(process.platform !== "linux")("the fork server", () => {
  beforeAll(() => {
    writeFileSync(join(folder, "slow.py"), slow);
    writeFileSync(join(folder, "program.py"), program);
  });

  it("imports once, and gives each run its own arguments, folder, environment and state", async () => {
    const printed = await Promise.all(
      ["a", "b", "c"].map((word) =>
        runProgram([python, ...argumentsOf("program.py", word)], {
          cwd: word === "a" ? folder : tmpdir(),
          env: { ...env, OF_RUN: word },
        }),
      ),
    );
    expect(printed).toEqual([
      `['a'] ${folder} a __main__ 1\n`,
      `['b'] ${tmpdir()} b __main__ 1\n`,
      `['c'] ${tmpdir()} c __main__ 1\n`,
    ]);
    expect(readFileSync(join(folder, "imports.txt"), "utf8")).toBe("set\n");
  });

  it("ends as the program ends", async () => {
    await expect(
      runProgram([python, ...argumentsOf("program.py", "exit")], { cwd: folder, env }),
    ).rejects.toThrow("ended with 7");
  });

  it("starts a program as usual if its imports start a thread", async () => {
    const threaded =
      "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\n";
    writeFileSync(join(folder, "threaded.py"), threaded);
    writeFileSync(join(folder, "threads.py"), "import os\nimport threaded\nprint(os.getppid())\n");
    const run = (): Promise<string> =>
      runProgram([python, ...argumentsOf("threads.py")], { cwd: folder, env });
    expect([await run(), await run()]).toEqual([`${process.pid}\n`, `${process.pid}\n`]);
  });

  it("ends the run of a client that is killed", async () => {
    const client = spawn(python, argumentsOf("program.py", "wait"), {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: "ignore",
    });
    const file = join(folder, "pid.txt");
    await until(() => existsSync(file) && readFileSync(file, "utf8") !== "");
    const pid = Number(readFileSync(file, "utf8"));
    expect(isRunning(pid)).toBe(true);
    client.kill("SIGKILL");
    await until(() => !isRunning(pid));
  });
});
