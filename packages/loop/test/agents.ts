import { type AgentOptions, agentTool, jsonSchema, type Tool } from "@fullstop/loop";
import { mock, type Script } from "@fullstop/provider-mock";

const inputSchema = jsonSchema({ type: "object", properties: { task: { type: "string" } } });
/** A tool whose sub-agents have these options. */
export const agent = (
  name: string,
  options: (input: { readonly task?: string }) => AgentOptions | Promise<AgentOptions>,
): Tool => agentTool({ name, description: `The agent ${name}.`, inputSchema, run: options });
/** A sub-agent that follows a script each time. */
export const scripted = (name: string, script: Script, more: Partial<AgentOptions> = {}): Tool =>
  agent(name, ({ task = "Look." }) => ({ adapter: mock(script), prompt: task, ...more }));
