import { type Fields, fields, holding, list } from "../fields.ts";

/** What answers calls of the tools that the API defines, by the SDK's types of `ResponseInputItem`. */
type Flaws = (item: Fields) => Readonly<Record<string, boolean>>;

const isText = (value: unknown): boolean => typeof value === "string";
const isEnding = (value: unknown): boolean => {
  const { type, exit_code: code } = fields(value);
  return type === "timeout" || (type === "exit" && Number.isInteger(code));
};
const flaws: Readonly<Record<string, Flaws>> = {
  apply_patch_call_output: ({ status, output }) => ({
    [`Invalid value: '${String(status)}' for 'status'.`]:
      status !== "completed" && status !== "failed",
    "Invalid type for 'output'.": output !== undefined && output !== null && !isText(output),
  }),
  computer_call_output: ({ output }) => ({
    "Invalid value for 'output.type'.": fields(output)["type"] !== "computer_screenshot",
    "Missing required parameter: 'output.image_url'.": !isText(fields(output)["image_url"]),
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
      list(output).some(
        ({ stdout, stderr, outcome }) => !isText(stdout) || !isText(stderr) || !isEnding(outcome),
      ),
  }),
  tool_search_output: ({ tools }) => ({
    "Missing required parameter: 'tools'.":
      !Array.isArray(tools) || list(tools).some(({ type }) => !isText(type)),
  }),
};

/** The rules that an answer of these breaks. */
export const ofHosted = (item: Fields, at: string): readonly string[] =>
  holding(
    Object.fromEntries(
      Object.entries(flaws[String(item["type"])]?.(item) ?? {}).map(([flaw, holds]) => [
        `${at}: ${flaw}`,
        holds,
      ]),
    ),
  );
