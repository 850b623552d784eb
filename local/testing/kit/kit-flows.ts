import type { Context } from "aws-lambda";
import { type Answer, NoAnswerError, type Post, type PostRequest } from "../../../lib/aws/post.ts";
import { parseJson } from "../../../lib/base/json.ts";
import { flowRequestSchema } from "../../../lib/effects/flow-request.ts";
import type { FlowTable } from "../../../lib/flows/define-flow.ts";
import type { FlowHandler } from "../../../lib/flows/run-flows.ts";
import { AwsError } from "../../cloud/aws-error.ts";
import { driveDurableStore } from "../../cloud/durable/drive-durable-store.ts";
import { answerDurableCall, toWire } from "../../cloud/durable/durable-routes.ts";
import { DurableStore } from "../../cloud/durable/durable-store.ts";
import type { DurableInvocationInput } from "../../cloud/durable/durable-types.ts";
import type { Outcome } from "../../cloud/lambda/outcome.ts";
import { createEnvironments, runInvocation } from "../simulated/environments.ts";
import type { Process } from "../simulated/process.ts";
import type { StartedFlow } from "../story-outcome.ts";
import type { KitClock } from "./kit-clock.ts";

export type KitFlows = ReturnType<typeof createKitFlows>;

export interface KitFlowsOptions {
  readonly clock: KitClock;
  readonly flows: FlowTable;
  readonly mostTurns: number;
  readonly createProcess: (name: string) => Process;
  readonly startHandler: (process: Process) => FlowHandler;
}

type LambdaRequest = Pick<PostRequest, "method" | "path" | "headers"> & { readonly body: string };

export const flowsFunctionName = "flows";

const timeoutMs = 120_000;
const durableFunction = {
  name: flowsFunctionName,
  arn: `arn:aws:lambda:us-east-1:000000000000:function:${flowsFunctionName}`,
  version: "1",
  executionTimeoutMs: 31_622_400_000,
  retentionMs: 14 * 86_400_000,
};
/** A flow that blocks until the timeout does so each time. */
const mostTimeouts = 3;
/** A flow that endlessly continues as a new one does so each time. */
const mostFlowsPerTurn = 10;

export function createKitFlows(options: KitFlowsOptions) {
  const { clock } = options;
  const started: StartedFlow[] = [];
  const startMs = clock.now();
  let trouble: string | undefined;
  const endStory = (why: string) => {
    trouble ??= why;
    return new Error(trouble);
  };
  const { environments, invoke } = createInvocations(options, started, endStory);
  const store = new DurableStore({ now: clock.now, invoke: (_name, input) => invoke(input) });
  const stop = driveDurableStore(store, {
    now: clock.now,
    schedule: (atMs, task) => ({ cancel: clock.at(atMs, () => void task()) }),
  });
  // The SDK ends an invocation in real time; requests take time of the clock.
  clock.hold(() => [...environments].some(({ isBusy, process }) => isBusy && process.underWay() === 0));

  const answer = (request: LambdaRequest) =>
    answerLambda(store, request, () => startFlow(store, request, options, started, endStory));
  const post =
    (process: Process, before = async () => {}, after = before): Post =>
    ({ body, ...request }) =>
      process.edge(operationOf(request), async () => {
        await before();
        const answered = answer({ ...request, body: new TextDecoder().decode(body) });
        await after();
        return answered;
      });

  return {
    started,
    postOf: (process: Process) => {
      const sleep = () => clock.sleep(1);
      const connect = async () => {
        await sleep();
        if (trouble === undefined) return;
        throw new NoAnswerError(trouble, { code: "ECONNREFUSED", maybeExecuted: false });
      };
      return post(process, connect, sleep);
    },
    /** In no time of the clock. */
    instantPostOf: (process: Process) => post(process),
    answer,
    isIdle: () => {
      const nextMs = store.nextWakeAt() ?? Number.POSITIVE_INFINITY;
      // Counts as finished if only its time limit would end it.
      const isAhead = nextMs < startMs + durableFunction.executionTimeoutMs;
      return !isAhead && [...environments].every(({ isBusy }) => !isBusy);
    },
    trouble: () => trouble,
    stop,
  };
}

/** As Lambda's Invoke. @throws AwsError */
function startFlow(
  store: DurableStore,
  { headers, body }: LambdaRequest,
  { flows, mostTurns }: KitFlowsOptions,
  started: StartedFlow[],
  endStory: (why: string) => Error,
): Answer {
  const { flow: name = "", input } = flowRequestSchema.safeParse(parseJson(body)).data ?? {};
  if (!flows.some((flow) => flow.name === name)) {
    endStory(`The flow "${name}" was started, and the test does not have it: give it in \`flows\`.`);
    throw new AwsError("ResourceNotFoundException", "There is no such flow.", 404);
  }
  const id = headers["x-amz-durable-execution-name"] ?? "";
  const { isNew } = store.start(durableFunction, { name: id, payload: body });
  if (isNew) started.push({ name, id, input });
  if (started.length > mostTurns * mostFlowsPerTurn)
    endStory(
      `The story never ends: ${started.length} flows were started. Allow more with \`mostTurns\`, or let them end.`,
    );
  return { status: 202, body: "" };
}

/** Each has its own process, which can die. */
function createInvocations(
  { clock, mostTurns, createProcess, startHandler }: KitFlowsOptions,
  started: readonly StartedFlow[],
  endStory: (why: string) => Error,
) {
  const turns = new Map<string, number>();
  let timeouts = 0;
  const environments = createEnvironments((number) => {
    const process = createProcess(`flows-${number}`);
    return { process, handler: startHandler(process) };
  });
  const noteTurn = (arn: string) => {
    const number = (turns.get(arn) ?? 0) + 1;
    turns.set(arn, number);
    if (number <= mostTurns) return;
    const name = started.find(({ id }) => arn.includes(`/${id}/`))?.name;
    const now = new Date(clock.now()).toISOString();
    throw endStory(
      `The story never ends: the flow "${name}" went on ${mostTurns} times, and it is ${now} by now. Allow more with \`mostTurns\`, or let it end.`,
    );
  };
  const invoke = async (input: DurableInvocationInput): Promise<Outcome> => {
    noteTurn(input.DurableExecutionArn);
    const { used } = environments.take();
    const { process, handler } = used;
    const endsAtMs = clock.now() + timeoutMs;
    // Lambda passes JSON.
    const event = JSON.parse(JSON.stringify(input));
    const work = (): Promise<unknown> => handler(event, contextUntil(endsAtMs, clock.now));
    const ending = await runInvocation({ process, work }, clock, endsAtMs, () => {
      process.kill();
      timeouts += 1;
      if (timeouts < mostTimeouts) return;
      endStory(
        `A flow does not let go of its invocation, which takes ${timeoutMs / 1000} s at most: does it await something besides flow.do and flow.wait…?`,
      );
    });
    used.isBusy = false;
    if (ending.kind === "died") return { kind: "exited", body: "" };
    if (ending.kind === "failed") return { kind: "failed", body: String(ending.error) };
    return { kind: "answered", body: JSON.stringify(ending.answer) };
  };
  return { environments: environments.all, invoke };
}

/** `POST …/checkpoint` → `lambda.CheckpointDurableExecution` */
function operationOf({ path = "" }: Pick<PostRequest, "path">) {
  const [address = ""] = path.split("?");
  const verb = address.split("/").at(-1) ?? "";
  return `lambda.${operations[verb] ?? verb}`;
}

const operations: Readonly<Record<string, string>> = {
  invocations: "Invoke",
  checkpoint: "CheckpointDurableExecution",
  state: "GetDurableExecutionState",
  succeed: "SendDurableExecutionCallbackSuccess",
};

const ofVersions = `/2015-03-31/functions/${flowsFunctionName}/versions`;

function answerLambda(store: DurableStore, request: LambdaRequest, start: () => Answer): Answer {
  const { method = "POST", path = "/", body } = request;
  try {
    if (path.startsWith(ofVersions))
      return { status: 200, body: JSON.stringify(toWire(store.versions(flowsFunctionName))) };
    if (path.startsWith("/2015-03-31/")) return start();
    return { status: 200, body: answerDurableCall(store, { method, url: path, body }) };
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const { code: errorType, status, message } = error;
    return { status, errorType, body: JSON.stringify({ message, Message: message, Type: "User" }) };
  }
}

function contextUntil(endsAtMs: number, now: () => number): Context {
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName: durableFunction.name,
    functionVersion: "1",
    invokedFunctionArn: durableFunction.arn,
    memoryLimitInMB: "512",
    awsRequestId: "00000000-0000-4000-8000-000000000000",
    logGroupName: "",
    logStreamName: "",
    getRemainingTimeInMillis: () => endsAtMs - now(),
    done() {},
    fail() {},
    succeed() {},
  };
}
