import type { Verdict } from "@fullstop/conformance";
import {
  findObstacle,
  type GatewayRoute,
  gatewayClauses,
  judgeRoute,
  loadReader,
  observeReplies,
  probeRequests,
  type ReadyRoute,
  startUpstream,
  type Upstream,
} from "@fullstop/conformance/gateway";
import { wires } from "@fullstop/conformance/wires";
import { type Command, InvalidArgumentError } from "commander";
import { findFreePort, type GatewayProcess, launchGateway } from "../agent/gateway.ts";
import { createEnvironment, isForAgents } from "../agent/program.ts";
import {
  type Behind,
  type Front,
  fillPlaces,
  type HeaderFields,
  type Places,
  parseBehind,
  parseFront,
  parseHeader,
} from "../gateway/options.ts";
import { parseSeconds } from "./agent.ts";
import { CommandError, messageOf, throwCommandError } from "./exit.ts";
import { helpOf } from "./help.ts";
import {
  createJudgeCommand,
  type JudgeCommandOptions,
  judgeAndReport,
  parseCount,
  type SubjectToJudge,
} from "./judging.ts";

interface GatewayCommandOptions extends Omit<JudgeCommandOptions, "clauses"> {
  readonly front: readonly Front[];
  readonly behind?: readonly Behind[];
  readonly upstreamPort?: number;
  readonly header?: HeaderFields;
  readonly key?: string;
  readonly timeout: number;
  readonly startTimeout: number;
  readonly jobs: number;
  readonly sample?: number;
  readonly reply?: string;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!(Number.isInteger(port) && port > 0 && port < 65_536))
    throw new InvalidArgumentError("It must be a port: a whole number from 1 to 65535.");
  return port;
}

export const gatewayCommand = (): Command =>
  createJudgeCommand("gateway", gatewayClauses)
    .summary("ask an LLM gateway, from both of its sides")
    .description(
      "Play the provider behind a gateway, send the requests in front of it, and report what it relabels, loses, merges or breaks.",
    )
    .argument("[command...]", "the command that starts the gateway, after --; without it, it runs")
    .requiredOption(
      "--front <protocol=url>",
      "a protocol in front, and its address as the SDK takes it; may be repeated",
      parseFront,
    )
    .option(
      "--behind <protocol[=model]>",
      "a protocol behind, and the model that the gateway sends there; may be repeated; by default those in front",
      parseBehind,
    )
    .option("--upstream-port <port>", "the port of the provider that the suite plays", parsePort)
    .option("--header <name: value>", "a header of every request; may be repeated", parseHeader)
    .option("--key <key>", "the key that the gateway expects; not-a-key by default")
    .option("--timeout <seconds>", "the time limit of one reply", parseSeconds, 20)
    .option("--start-timeout <seconds>", "the time until the gateway answers", parseSeconds, 60)
    .option("--jobs <n>", "how many replies at the same time", parseCount, 4)
    .option("--sample <n>", "play at most <n> replies for each pair of protocols", parseCount)
    .option("--reply <id>", "play only the replies whose id begins with this, to repeat a finding")
    .addHelpText("after", helpOf("gateway"))
    .action(async (command: readonly string[], options: GatewayCommandOptions) => {
      if (command.length === 0 && options.upstreamPort === undefined)
        throw new CommandError(
          "A gateway that runs already must know where the provider is: give --upstream-port the port that it sends requests to, or the command that starts the gateway after --.",
        );
      let upstream: Upstream | undefined;
      let gateway: GatewayProcess | undefined;
      try {
        process.exitCode = await judgeAndReport(
          async (signal) => {
            upstream = await startUpstream(options.upstreamPort).catch((thrown: unknown) => {
              throw new CommandError(
                `The provider cannot be played: ${messageOf(thrown)}. Give --upstream-port another port.`,
              );
            });
            const places = { upstream: upstream.url, port: await findFreePort() };
            if (command.length > 0)
              gateway = await startCommand(command, { ...options, places, signal });
            return routesOf(options, places).map((route) =>
              routeToJudge(route, { ...options, command, upstream: upstream as Upstream }),
            );
          },
          { ...options, clauses: gatewayClauses },
        );
      } finally {
        await gateway?.stop();
        await upstream?.close();
      }
    });

interface LaunchOptions extends GatewayCommandOptions {
  readonly places: Places;
  readonly signal: AbortSignal;
}

function startCommand(
  command: readonly string[],
  { places, signal, front, startTimeout }: LaunchOptions,
): Promise<GatewayProcess> {
  const { upstream, port } = places;
  const url = fillPlaces(front[0]?.url ?? "", places);
  return launchGateway({
    command: command.map((word) => fillPlaces(word, places)),
    folder: process.cwd(),
    env: {
      ...createEnvironment({ wires: Object.values(wires).filter(isForAgents) }, upstream),
      CONFORMANCE_UPSTREAM: upstream,
      CONFORMANCE_PORT: String(port),
    },
    url,
    isReady: () => true,
    timeoutMs: startTimeout * 1000,
    signal,
    late: `The gateway did not answer at ${url} within ${startTimeout} s: --start-timeout gives it more time.`,
    ended: () => "The gateway ended by itself.",
  }).catch(throwCommandError);
}

/** Every pair of a protocol in front and one behind. */
function routesOf(
  { front, behind, header = {}, key }: GatewayCommandOptions,
  places: Places,
): readonly GatewayRoute[] {
  const headers = Object.fromEntries(
    Object.entries(header).map(([name, value]) => [name, fillPlaces(value, places)]),
  );
  return front.flatMap(({ protocol, url }) =>
    (behind ?? [{ protocol }]).map((one: Behind) => ({
      front: protocol,
      url: fillPlaces(url, places),
      behind: one.protocol,
      model: one.model,
      headers,
      key,
    })),
  );
}

interface JudgedRoute extends GatewayCommandOptions {
  readonly command: readonly string[];
  readonly upstream: Upstream;
}

function routeToJudge(route: GatewayRoute, options: JudgedRoute): SubjectToJudge {
  const { front, behind } = route;
  const { command, header = {}, upstreamPort } = options;
  const original = options.front.find(({ protocol }) => protocol === front)?.url ?? route.url;
  const words = [
    `--front ${front}=${original}`,
    `--behind ${behind}${route.model === undefined ? "" : `=${route.model}`}`,
    ...(upstreamPort === undefined ? [] : [`--upstream-port ${upstreamPort}`]),
    ...Object.entries(header).map(([name, value]) => `--header "${name}: ${value}"`),
    ...(command.length === 0 ? [] : ["--", ...command]),
  ];
  return {
    name: `${front} → ${behind}`,
    wire: `${wires[front].name} → ${wires[behind].name}`,
    command: `npx fullstop conformance gateway ${words.join(" ")}`,
    verdicts: ({ only, signal }) => judgeOneRoute(route, { ...options, only, signal }),
  };
}

async function* judgeOneRoute(
  route: GatewayRoute,
  options: JudgedRoute & { readonly signal: AbortSignal },
): AsyncGenerator<Verdict> {
  const { upstream, signal, timeout, jobs, sample, reply, only, all } = options;
  const ready: ReadyRoute = {
    ...route,
    readers: await loadReaders(route),
    upstream,
    timeoutMs: timeout * 1000,
    signal,
  };
  const obstacle = await findObstacle(ready);
  if (obstacle !== undefined)
    throw new CommandError(`${route.front} → ${route.behind} cannot be judged: ${obstacle}.`);
  const probes = await probeRequests(ready);
  const observations = await observeReplies(ready, { jobs, sample, reply });
  yield* judgeRoute({ route: ready, observations, probes }, { only, all });
}

async function loadReaders({ front, behind }: GatewayRoute): Promise<ReadyRoute["readers"]> {
  const folder = process.cwd();
  const [inFront, before] = await Promise.all([
    loadReader(front, folder),
    loadReader(behind, folder),
  ]).catch(throwCommandError);
  return { front: inFront, behind: before };
}
