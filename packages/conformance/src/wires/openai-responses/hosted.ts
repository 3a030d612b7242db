import type { Violation } from "../../wire.ts";
import { type Fields, fieldsOf, listViolations, objectsIn } from "../shared.ts";

/** The rules for outputs of the API's own tools, from `ResponseInputItem`. True if broken. */
type HostedRule = (item: Fields) => Readonly<Record<string, boolean>>;

const isText = (value: unknown): boolean => typeof value === "string";

const isShellOutcome = (value: unknown): boolean => {
  const { type, exit_code: code } = fieldsOf(value);
  return type === "timeout" || (type === "exit" && Number.isInteger(code));
};

const hostedRules: Readonly<Record<string, HostedRule>> = {
  apply_patch_call_output: ({ status, output }) => ({
    [`Invalid value: '${String(status)}' for 'status'.`]:
      status !== "completed" && status !== "failed",
    "Invalid type for 'output'.": output !== undefined && output !== null && !isText(output),
  }),
  computer_call_output: ({ output }) => ({
    "Invalid value for 'output.type'.": fieldsOf(output)["type"] !== "computer_screenshot",
    "Missing required parameter: 'output.image_url'.": !isText(fieldsOf(output)["image_url"]),
  }),
  local_shell_call_output: ({ id, output }) => ({
    "Missing required parameter: 'id'.": !isText(id),
    "Invalid type for 'output'.": !isText(output),
  }),
  mcp_approval_response: ({ approve, reason }) => ({
    "Invalid type for 'approve'.": typeof approve !== "boolean",
    "Invalid type for 'reason'.": reason !== undefined && reason !== null && !isText(reason),
  }),
  shell_call_output: ({ output }) => ({
    "Invalid type for 'output'.":
      !Array.isArray(output) ||
      objectsIn(output).some(
        ({ stdout, stderr, outcome }) =>
          !isText(stdout) || !isText(stderr) || !isShellOutcome(outcome),
      ),
  }),
  tool_search_output: ({ tools }) => ({
    "Missing required parameter: 'tools'.":
      !Array.isArray(tools) || objectsIn(tools).some(({ type }) => !isText(type)),
  }),
};

export const hostedItemViolations = (item: Fields, at: string): readonly Violation[] =>
  listViolations(
    item,
    Object.fromEntries(
      Object.entries(hostedRules[String(item["type"])]?.(item) ?? {}).map(([flaw, holds]) => [
        `${at}: ${flaw}`,
        holds,
      ]),
    ),
  );
