import {
  anyFunction,
  anyObject,
  anyText,
  checkOptions,
  type OptionKinds,
} from "@fullstop/core/adapter";
import type { ReviewedCall } from "@fullstop/loop";
import {
  InvocationIdParser,
  TerminalError,
  type WorkflowContext,
  type WorkflowDefinition,
  type WorkflowOptions,
  type WorkflowSharedContext,
  workflow,
} from "@restatedev/restate-sdk";
import type { AgentWorkflowOptions } from "./agent-options.ts";
import type { AgentResult } from "./agent-result.ts";
import { type Answers, assertAnswers } from "./answers.ts";
import { assertRequired } from "./assert-required.ts";
import { createRunHandler } from "./run-handler.ts";
import { answersKey, stateKeys, type Wait } from "./wait.ts";

/** The handlers of the workflow, as the clients of Restate call them. */
export type AgentHandlers<Input, Output> = {
  /** Runs the agent. Its result is the result of the workflow. */
  run: (context: WorkflowContext, input: Input) => Promise<AgentResult<Output>>;
  /** The calls that the run waits for. Empty: it does not wait. */
  waitingCalls: (context: WorkflowSharedContext) => Promise<readonly ReviewedCall[]>;
  /**
   * Continues a run that waits. Fails with 400 if not all of its calls are answered, and with 409 if
   * the run does not wait.
   */
  answer: (context: WorkflowSharedContext, answers: Answers) => Promise<void>;
  /** Cancels the run: its `signal` aborts, and the workflow fails with 409. */
  cancel: (context: WorkflowSharedContext) => Promise<void>;
};

/** Restate's default of a minute would suspend the handler, which no cancellation then reaches. */
const defaultOptions: WorkflowOptions = { inactivityTimeout: { days: 1 } };

const workflowKinds: OptionKinds<Required<AgentWorkflowOptions<string, unknown, unknown>>> = {
  name: anyText,
  journal: anyObject,
  agent: anyFunction,
  options: anyObject,
};

/**
 * Makes a Restate workflow of an agent, for `serve({ services: [workflow] })`. Its key is the id of the run. Restate starts the run, starts
 * it again after a crash, and waits for people. The journal has the steps, so that no finished tool
 * runs again.
 * @throws TypeError for options that cannot work. The message names the option.
 */
export function agentWorkflow<Name extends string, Input = void, Output = unknown>(
  settings: AgentWorkflowOptions<Name, Input, Output>,
): WorkflowDefinition<Name, AgentHandlers<Input, Output>> {
  checkOptions(settings, workflowKinds, { of: "agentWorkflow" });
  assertRequired(settings, ["name", "journal", "agent"], "agentWorkflow");
  const handlers: AgentHandlers<Input, Output> = {
    run: createRunHandler(settings),
    waitingCalls: async (context) => (await context.get<Wait>(stateKeys.wait))?.calls ?? [],
    answer: async (context, answers) => {
      const wait = await context.get<Wait>(stateKeys.wait);
      if (wait === null) throw new TerminalError("The run does not wait.", { errorCode: 409 });
      assertAnswers(answers, wait.calls);
      await context.promise<Answers>(answersKey(wait.number)).resolve(answers);
    },
    cancel: async (context) => {
      const id = await context.get<string>(stateKeys.invocation);
      if (id === null) throw new TerminalError("The run has not started.", { errorCode: 409 });
      context.cancel(InvocationIdParser.fromString(id));
    },
  };
  return workflow({
    name: settings.name,
    options: { ...defaultOptions, ...settings.options },
    handlers,
  });
}
