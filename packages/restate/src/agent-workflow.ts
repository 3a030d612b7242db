import {
  anyFunction,
  anyObject,
  anyText,
  checkOptions,
  type OptionKinds,
} from "@fullstop/core/adapter";
import { type Outcome, type ReviewedCall, type Run, type RunOptions, run } from "@fullstop/loop";
import { isJournalError, type JournalErrorKind } from "@fullstop/loop/journal";
import {
  CancelledError,
  InvocationIdParser,
  PauseError,
  RetryableError,
  TerminalError,
  type WorkflowContext,
  type WorkflowDefinition,
  type WorkflowOptions,
  type WorkflowSharedContext,
  workflow,
} from "@restatedev/restate-sdk";
import type { AgentWorkflowOptions } from "./agent-options.ts";
import { type AgentResult, toResult } from "./agent-result.ts";
import { type Answers, assertAnswers } from "./answers.ts";
import { assertRequired } from "./assert-required.ts";
import { createRunningAgents, type RunningAgents } from "./running-agents.ts";
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

type RunHandler<Input, Output> = (
  context: WorkflowContext,
  input: Input,
) => Promise<AgentResult<Output>>;

/**
 * The handler `run` of the workflow. The run is one step of Restate from its start, or from answers,
 * until it ends or waits: Restate repeats a step that was interrupted, and the journal knows what
 * may not be repeated. The order of these steps is fixed, because workflows that wait are replayed
 * by later versions.
 */
function createRunHandler<Input, Output>(
  settings: AgentWorkflowOptions<string, Input, Output>,
): RunHandler<Input, Output> {
  const running = createRunningAgents<Outcome<Output>>();
  return async (context, input) => {
    const agent: AgentOfKey<Input, Output> = { settings, running, context, input };
    context.set(stateKeys.invocation, context.request().id);
    await context.run("check options", () => checkRunOptions(agent));
    let answers: Answers | undefined;
    for (let number = 1; ; number += 1) {
      const step = await runAgent(agent, number, answers);
      if (step.status !== "waiting") return step;
      answers = await waitForAnswers(agent, { number, calls: step.calls });
    }
  };
}

interface AgentOfKey<Input, Output> {
  readonly settings: AgentWorkflowOptions<string, Input, Output>;
  readonly running: RunningAgents<Outcome<Output>>;
  readonly context: WorkflowContext;
  readonly input: Input;
}

/** The caller gets an error at once for options that `run` refuses. */
async function checkRunOptions<Input, Output>(agent: AgentOfKey<Input, Output>): Promise<void> {
  const { attemptCompletedSignal } = agent.context.request();
  const options = await runOptionsOf(agent, attemptCompletedSignal);
  startRun(options, refusedError);
}

/** Sends nothing before `outcome()` is called. */
function startRun<Output>(
  options: RunOptions<Output>,
  toError: (refusal: Error) => Error,
): Run<Output> {
  try {
    return run(options);
  } catch (refusal) {
    throw toError(refusal as Error);
  }
}

async function runOptionsOf<Input, Output>(
  { settings, context, input }: AgentOfKey<Input, Output>,
  signal: AbortSignal,
): Promise<RunOptions<Output>> {
  const runId = context.key;
  const options = await settings.agent(input, { runId, signal });
  return {
    ...options,
    journal: { ...settings.journal, runId },
    signal: options.signal === undefined ? signal : AbortSignal.any([signal, options.signal]),
  };
}

type AgentStep<Output> =
  | { readonly status: "waiting"; readonly calls: readonly ReviewedCall[] }
  | AgentResult<Output>;

async function runAgent<Input, Output>(
  agent: AgentOfKey<Input, Output>,
  number: number,
  waiting: Answers | undefined,
): Promise<AgentStep<Output>> {
  const { running, context } = agent;
  const key = `${number} ${context.key}`;
  const start = async (signal: AbortSignal): Promise<Outcome<Output>> => {
    const options = await runOptionsOf(agent, signal);
    return startRun({ ...options, waiting }, pausedError).outcome();
  };
  const { attemptCompletedSignal } = context.request();
  try {
    return await context.run("agent", () =>
      running
        .join(key, attemptCompletedSignal, start)
        .then((outcome) => toStep(outcome, context.key))
        .catch((thrown: unknown) => {
          throw toAttemptError(thrown);
        }),
    );
  } catch (thrown) {
    if (thrown instanceof CancelledError) await running.abort(key, thrown);
    throw thrown;
  }
}

function toStep<Output>(outcome: Outcome<Output>, runId: string): AgentStep<Output> {
  if (outcome.status === "aborted") throw interruptedError(runId);
  if (outcome.status === "waiting") return { status: "waiting", calls: outcome.calls };
  return toResult<Output>(outcome);
}

async function waitForAnswers<Input, Output>(
  { settings, context }: AgentOfKey<Input, Output>,
  wait: Wait,
): Promise<Answers> {
  context.set(stateKeys.wait, wait);
  try {
    return await context.promise<Answers>(answersKey(wait.number));
  } catch (thrown) {
    if (thrown instanceof CancelledError)
      await context.run("cancel", async () => {
        const lease = await settings.journal.store.open(context.key);
        await lease.close({ status: "aborted" });
      });
    throw thrown;
  } finally {
    context.clear(stateKeys.wait);
  }
}

/**
 * `retry`: another attempt continues the run. `pause`: no attempt can succeed until a person has
 * changed something, and then resumes the invocation.
 */
const reactions: Readonly<Record<JournalErrorKind, "retry" | "pause">> = {
  "in-use": "retry",
  lost: "retry",
  unavailable: "retry",
  deleted: "pause",
  "too-large": "pause",
  damaged: "pause",
};

const retryAfter = { seconds: 2 };

/** What Restate makes of an error of a run. Other errors follow the retry policy of the workflow. */
function toAttemptError(thrown: unknown): unknown {
  if (!isJournalError(thrown) || !Object.hasOwn(reactions, thrown.kind)) return thrown;
  const { message } = thrown;
  // `PauseError.from` of SDK 1.17 makes a RetryableError.
  return reactions[thrown.kind] === "retry"
    ? new RetryableError(message, { retryAfter, cause: thrown })
    : new PauseError(message, { cause: thrown });
}

/** The process stops, or Restate no longer waits for this attempt. Nothing is lost. */
const interruptedError = (runId: string): RetryableError =>
  new RetryableError(
    `The run "${runId}" was interrupted in this process. Another attempt continues it.`,
    { retryAfter },
  );

/** `run` refused the options when the run was to start: the caller gets the sentence. */
const refusedError = (refusal: Error): TerminalError =>
  new TerminalError(`The run cannot start. ${refusal.message}`, { errorCode: 400 });

/** `run` refused the options of a run that has begun, such as after a deployment. */
const pausedError = (refusal: Error): PauseError =>
  new PauseError(
    `The options of the run cannot work. Correct them, deploy, and resume the invocation. ${refusal.message}`,
    { cause: refusal },
  );
