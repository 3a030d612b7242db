import type { Fixture } from "../../../wire.ts";
import { text, whole } from "../items.ts";
import { completed, cut, nothing, readCall, runsRead } from "./parts.ts";

const search = {
  id: "ws_1",
  type: "web_search_call",
  status: "completed",
  action: { type: "search", query: "notes" },
};
const code = {
  id: "ci_1",
  type: "code_interpreter_call",
  status: "completed",
  code: "print(1)",
  container_id: "cntr_1",
  outputs: null,
};
const mcp = {
  id: "mcp_1",
  type: "mcp_call",
  name: "roll",
  server_label: "dice",
  arguments: "{}",
  output: "4",
  error: null,
};
const later = { id: "xl_1", type: "x_later_item", payload: { a: [1] } };
const asked = { id: "xc_1", type: "x_later_call", call_id: "call_x", payload: 1 };
const shell = {
  id: "sh_1",
  type: "shell_call",
  call_id: "call_sh",
  status: "completed",
  action: { commands: ["ls"] },
};
const container = {
  ...shell,
  environment: { type: "container_reference", container_id: "cntr_1" },
};
const shown = {
  id: "sho_1",
  type: "shell_call_output",
  call_id: "call_sh",
  output: [{ stdout: "a\n", stderr: "", outcome: { type: "exit", exit_code: 0 } }],
};
const program = {
  id: "prog_1",
  type: "program",
  call_id: "call_program",
  code: "read()",
  fingerprint: "f",
};

export const serverSamples: readonly Fixture[] = [
  {
    name: "a search, code and a remote tool on the server, then a call",
    frames: completed(whole(search), whole(code), whole(mcp), readCall),
    turn: runsRead,
    replays: [search, code, mcp],
  },
  {
    name: "a search, then text",
    frames: completed(whole(search), text("Found.")),
    turn: nothing("stop"),
    replays: [search],
  },
  {
    name: "a search that the cap cut",
    frames: cut(text("Searching."), whole({ ...search, status: "in_progress" })),
    turn: nothing("length"),
    omits: [{ ...search, status: "in_progress" }],
  },
  {
    name: "an item of a kind that nobody knows yet, before a call",
    frames: completed(whole(later), readCall),
    turn: runsRead,
    replays: [later],
  },
  {
    name: "a shell in the server's container, with its output",
    frames: completed(whole(container), whole(shown), text("One file.")),
    turn: nothing("stop"),
    replays: [container, shown],
  },
  {
    name: "a program on the server that waits for a call",
    frames: completed(whole(program), readCall),
    turn: runsRead,
    replays: [program],
  },
  {
    name: "R4: a new kind of call that nobody answers",
    frames: completed(text("I will do that."), whole(asked)),
    turn: nothing("error"),
    omits: [asked],
    source: "a turn that ends as if it were done, and a 400 for the next request",
  },
  {
    name: "R4: a new kind of call that nobody answers, beside a call",
    frames: completed(readCall, whole(asked)),
    turn: nothing("error"),
    omits: [asked],
  },
];
