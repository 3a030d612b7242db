import type { ReplyCall, Fixture } from "../../../wire.ts";
import { type Item, text, whole } from "../items.ts";
import { completed, completedEmpty, cut, nothing, read, readCall } from "./parts.ts";

type Fields = Readonly<Record<string, unknown>>;
/** What the API asks of the client with a tool of its own, and what answers that. */
interface Hosted {
  readonly item: Fields;
  readonly call: Pick<ReplyCall, "name" | "input">;
  /** What answers it, where a text can; the suite's result is `Result 0 of <its name>.` */
  readonly answer?: Fields;
}

const operation = { type: "update_file", path: "/srv/a", diff: "@@\n-1\n+2\n" };
const exec = { type: "exec", command: ["ls"], env: {} };
const action = { commands: ["ls", "pwd"], timeout_ms: 1000, max_output_length: 4096 };
const shell = { id: "sh_1", type: "shell_call", call_id: "call_sh", status: "completed", action };
const actions = [{ type: "click", button: "left", x: 1, y: 2 }, { type: "screenshot" }];
const check = { id: "cu_sc_1", code: "malicious_instructions", message: "Look twice." };
const asks = { server_label: "dice", name: "roll", arguments: '{"sides":6}' };
const printed = {
  stdout: "Result 0 of shell.",
  stderr: "",
  outcome: { type: "exit", exit_code: 0 },
};
const isRun = { status: "completed" };

const hosted: readonly Hosted[] = [
  {
    item: { id: "apc_1", type: "apply_patch_call", call_id: "call_p", ...isRun, operation },
    call: { name: "apply_patch", input: operation },
    answer: {
      type: "apply_patch_call_output",
      call_id: "call_p",
      status: "completed",
      output: "Result 0 of apply_patch.",
    },
  },
  {
    item: { id: "lsh_1", type: "local_shell_call", call_id: "call_l", ...isRun, action: exec },
    call: { name: "local_shell", input: exec },
    answer: { type: "local_shell_call_output", id: "call_l", output: "Result 0 of local_shell." },
  },
  {
    item: { ...shell, environment: { type: "local" } },
    call: { name: "shell", input: action },
    answer: {
      type: "shell_call_output",
      call_id: "call_sh",
      output: [printed],
      max_output_length: 4096,
    },
  },
  { item: { ...shell, environment: null }, call: { name: "shell", input: action } },
  {
    item: {
      id: "cc_1",
      type: "computer_call",
      call_id: "call_c",
      ...isRun,
      actions,
      pending_safety_checks: [check],
    },
    call: { name: "computer", input: { actions, pending_safety_checks: [check] } },
  },
  {
    item: {
      id: "tsc_1",
      type: "tool_search_call",
      call_id: "call_t",
      execution: "client",
      ...isRun,
      arguments: { query: "dice" },
    },
    call: { name: "tool_search", input: { query: "dice" } },
  },
  {
    item: { id: "mcpr_1", type: "mcp_approval_request", ...asks },
    /** Its answer names the item's id, which Copilot changes with every event. */
    call: { name: "mcp_approval", input: asks },
  },
];

const half = (item: Fields): Item => ({
  added: { ...item, status: "in_progress" },
  done: { ...item, status: "incomplete" },
});

export const hostedSamples: readonly Fixture[] = hosted.flatMap(
  ({ item, call, answer }, n): readonly Fixture[] => {
    const name = `${item["type"]} (${n})`;
    return [
      {
        name: `R4: ${name} is a call`,
        frames: completed(text("I will do that."), whole(item)),
        turn: { stopReason: "tool-use", calls: [call] },
        ...(answer && { replays: [answer] }),
        source: "the SDK's type ResponseSteerRequiredInput: what the client has to answer",
      },
      {
        name: `R4: ${name} beside a call`,
        frames: completedEmpty(readCall, whole(item)),
        turn: { stopReason: "tool-use", calls: [read, call] },
      },
      {
        name: `R4: ${name} at the cap`,
        frames: cut(text("So."), whole(item)),
        turn: nothing("length"),
        omits: [item],
      },
      {
        name: `R4: ${name} that is not complete`,
        frames: completed(text("So."), half(item)),
        turn: nothing("malformed-tool-call"),
        omits: [item],
      },
    ];
  },
);
