import {
  type DurableContext,
  type DurableExecutionInvocationInput,
  withDurableExecution,
} from "@aws/durable-execution-sdk-js";
import type { Count } from "../base/count-metric.ts";
import { describeError, type ErrorFields, errorFields } from "../base/describe-error.ts";
import { OwnError } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import { eachLevel, type Log, type LogFields } from "../base/log.ts";
import { ShadowEndedError } from "../effects/effect-errors.ts";
import { type FlowRequest, flowRequestSchema } from "../effects/flow-request.ts";
import { ContinuedError } from "./continue-as.ts";
import type { FlowTable } from "./define-flow.ts";
import type { DurableClient } from "./durable-client.ts";
import { checkpointBytes, maxValueBytes } from "./flow.ts";
import type { FlowCancels } from "./flow-cancels.ts";
import { toMs, watchFlowLimits } from "./flow-limits.ts";
import type { FlowMarks } from "./flow-marks.ts";
import type { FlowQuestions } from "./flow-questions.ts";
import type { FlowPath, FlowRun } from "./flow-run.ts";
import { createFlow } from "./run-flow.ts";
import { toStoredError } from "./stored-error.ts";
import { neverEnds, outOfTime, unlessStuck } from "./stuck-flow.ts";

class FlowRefusedError extends OwnError {
  override readonly name = "FlowRefusedError";
}

class FlowResultError extends OwnError {
  override readonly name = "StoredResultError";
}

export interface FlowRunServices {
  readonly clientFor: (remainingMs: () => number) => DurableClient;
  readonly marks: FlowMarks;
  readonly questions: FlowQuestions;
  readonly cancels: FlowCancels;
  readonly runOf: (of: {
    readonly flow: string;
    readonly id: string;
    readonly appId: string;
    readonly region: string | undefined;
    readonly log: Log;
    readonly names: LogFields;
    readonly remainingMs: () => number;
    readonly restart: FlowRequest["restart"];
  }) => FlowRun;
  readonly log: Log;
  readonly count: Count;
}

export type FlowHandler = ReturnType<typeof withDurableExecution>;

/**
 * An execution fails permanently if its flow is unknown, its input does not match, or the flow fails:
 * reported by a log line and the metric `FlowFailed`.
 */
export function createFlowHandler(flows: FlowTable, services: FlowRunServices): FlowHandler {
  const { clientFor, marks, log } = services;
  const report = createReport(services);
  const reportFailed = async (input: DurableExecutionInvocationInput, failure: Failure) => {
    const request = requestIn(input);
    const { appId = "", flow = "" } = request ?? {};
    const arn = input.DurableExecutionArn;
    const flowId = flowIdIn(arn);
    const { ErrorType = "Error", ErrorMessage = "" } = failure;
    // Without a stack: it would point here.
    const error = Object.assign(new Error(ErrorMessage), { name: ErrorType, stack: "" });
    const cause = ErrorMessage === neverEnds ? neverEnds : describeError(error).slice(0, longestCause);
    report.once(arn, { appId, flow, flowId }, { cause });
    if (request !== undefined) await cleanUp(flows, request, flowId, services);
  };
  /**
   * Replaces the start's mark, which ends in days.
   * @throws AwsCallError Lambda repeats the invocation:
   *   https://docs.aws.amazon.com/lambda/latest/dg/durable-execution-sdk-retries.html
   */
  const extendMark = async (input: DurableExecutionInvocationInput) => {
    const request = requestIn(input);
    const isLater = input.InitialExecutionState.Operations.length > 1;
    if (isLater || request === undefined || request.waitsFor.length === 0) return;
    const id = flowIdIn(input.DurableExecutionArn);
    await marks.begin(request.appId, request.waitsFor, id);
  };

  return async (input, context) => {
    await extendMark(input);
    const arn = input.DurableExecutionArn;
    const { appId, flow } = requestIn(input) ?? {};
    const client = clientFor(() => context.getRemainingTimeInMillis());
    const limits = watchFlowLimits(client, log, input, { appId, flow, flowId: flowIdIn(arn) });
    const startedMs = toMs(input.InitialExecutionState.Operations[0]?.StartTimestamp);
    let failure: unknown;
    const onNotCleaned = (error: unknown) => {
      failure = error;
    };
    const run = async (event: unknown, ofEvent: DurableContext) =>
      runFlow(flows, event, ofEvent, report.once, services, {
        startedMs,
        written: limits.written,
        onNotCleaned,
      });
    const handle = withDurableExecution(run, { durableExecutionClient: limits.client });
    const leftMs = context.getRemainingTimeInMillis();
    const output = await unlessStuck(handle(input, context), leftMs, () =>
      log.error(outOfTime, { appId, flow, flowId: flowIdIn(arn) }),
    );
    // A mark that remained would store every event of its name for a year.
    if (failure !== undefined) throw failure;
    if (output.Status === "FAILED" && !report.has(arn)) await reportFailed(input, output.Error ?? {});
    return output;
  };
}

interface InvocationParts extends Pick<FlowRun, "startedMs" | "written"> {
  readonly onNotCleaned: (error: unknown) => void;
}

interface FlowNames {
  readonly appId: string;
  readonly flow: string;
  readonly flowId: string;
}

type ReportOnce = (arn: string, names: FlowNames, fields: ErrorFields) => void;

/** The SDK may abandon an execution before or after its function ends. */
function createReport({ log, count }: FlowRunServices) {
  const reported = new Set<string>();
  const once: ReportOnce = (arn, names, fields) => {
    if (reported.has(arn)) return;
    if (reported.size >= mostReported) reported.clear();
    reported.add(arn);
    log.error("a flow failed", { ...names, ...fields });
    count("FlowFailed", { appId: names.appId, flow: names.flow });
  };
  return { once, has: (arn: string) => reported.has(arn) };
}

/** Deletes a flow's items. A cancellation also counts for the next execution. @throws AwsCallError */
async function cleanUp(
  flows: FlowTable,
  { appId, flow, waitsFor, identity }: FlowRequest,
  id: string,
  { marks, cancels }: FlowRunServices,
  isContinued = false,
) {
  const forget = isContinued ? undefined : cancels.forget(identity ?? id);
  // An older version may have listed other events.
  const listed = flows.find(({ name }) => name === flow)?.waitsFor ?? [];
  await Promise.all([marks.end(appId, [...new Set([...waitsFor, ...listed])], id), forget]);
}

async function runFlow(
  flows: FlowTable,
  input: unknown,
  context: DurableContext,
  reportOnce: ReportOnce,
  services: FlowRunServices,
  { onNotCleaned, ...ofInvocation }: InvocationParts,
): Promise<unknown> {
  const read = flowRequestSchema.safeParse(input);
  if (!read.success)
    throw new FlowRefusedError("The execution was not started by this system: its input is not a flow's.");
  const { flow: name, appId, region, identity, restart } = read.data;
  const arn = context.executionContext.durableExecutionArn;
  const id = flowIdIn(arn);
  const names = { appId, flow: name, flowId: id };
  const log = logInFlow(context, services.log, names);
  const ended: FlowPath["ended"] = {};
  try {
    const flow = findFlow(flows, read.data, id);
    const remainingMs = () => context.lambdaContext.getRemainingTimeInMillis();
    const flowRun = {
      ...services.runOf({ flow: name, id, appId, region, log, names, remainingMs, restart }),
      identity,
      definition: flow,
      ...ofInvocation,
    };
    const path = pathOf(read.data, flow.waitsFor, ended);
    const result = await flow.run(createFlow(context, flowRun, path), read.data.input);
    if (ended.by !== undefined) throw ended.by;
    const stored = toResult(result);
    services.log.info("a flow ended", names);
    return stored;
  } catch (thrown) {
    const error = ended.by ?? thrown;
    if (error instanceof ContinuedError) {
      services.log.info("a flow continues as a new execution", { ...names, continuedAs: error.id });
      return null;
    }
    if (error instanceof ShadowEndedError) {
      services.log.info(
        "a flow in shadow stopped: it needs the result of an effect that shadow does not perform",
        names,
      );
      return null;
    }
    reportOnce(arn, names, errorFields(error));
    throw toStoredError(error);
  } finally {
    await cleanUp(flows, read.data, id, services, ended.by instanceof ContinuedError).catch(onNotCleaned);
  }
}

function pathOf(
  { since, causedBy, causedByMessage, known = [], knownAt = [], heardAt }: FlowRequest,
  waitsFor: readonly string[],
  ended: FlowPath["ended"],
): FlowPath {
  return {
    name: "",
    waitsFor,
    sinceMs: since,
    heardMs: heardAt,
    nowMs: since,
    known: [
      ...(causedBy === undefined ? [] : [{ key: causedBy, receivedAt: since }]),
      ...known.map((key, index) => ({ key, receivedAt: knownAt[index] ?? since })),
    ],
    uses: new Map(),
    asked: new Map(),
    asking: new Set([""]),
    listening: new Map(),
    ended,
    early: causedByMessage === undefined ? undefined : { messageId: causedByMessage, sinceMs: since },
  };
}

/** @throws FlowRefusedError if an older version started or continued what this one does not take */
function findFlow(
  flows: FlowTable,
  { flow: name, input, waitsFor }: FlowRequest,
  id: string,
): FlowTable[number] {
  const next = `npx cometchat-functions flows ${id}`;
  const remedy =
    waitsFor.length > 0
      ? `do by hand what this one has not done (add --stage): ${next} --with-content`
      : `start this one again (add --stage): ${next} --restart`;
  const again = `and deploy. New starts then succeed; ${remedy}`;
  const flow = flows.find((one) => one.name === name);
  if (flow === undefined) {
    throw new FlowRefusedError(
      `There is no flow named "${name}". Flows that run keep their names (functions/own/flows.ts). Add it again, ${again}`,
    );
  }
  const misfit = flow.misfitOf(input);
  if (misfit === undefined) return flow;
  throw new FlowRefusedError(
    `The input of flow "${name}" does not fit its schema: ${misfit}. A flow starts and continues on the newest code. ` +
      `Let the schema take what an older version gave, ${again}`,
  );
}

function requestIn({ InitialExecutionState: { Operations } }: DurableExecutionInvocationInput) {
  return flowRequestSchema.safeParse(parseJson(Operations[0]?.ExecutionDetails?.InputPayload ?? "")).data;
}

interface Failure {
  readonly ErrorType?: string | undefined;
  readonly ErrorMessage?: string | undefined;
}

const longestCause = 1_000;
const mostReported = 1_000;

function toResult(result: unknown): unknown {
  try {
    const text: string | undefined = JSON.stringify(result);
    if (text === undefined) return null;
    if (checkpointBytes(text) <= maxValueBytes) return result;
  } catch {
    throw new FlowResultError("The flow is done, but its result is not JSON.");
  }
  throw new FlowResultError("The flow is done, but its result is larger than what may be kept.");
}

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_GetDurableExecution.html */
function flowIdIn(arn: string) {
  return arn.split("/").at(-2) ?? arn;
}

/** Silent in replays. */
function logInFlow(context: DurableContext, log: Log, names: LogFields): Log {
  const customLogger = eachLevel(
    (level) => (message, fields) => log[level](String(message), { ...fields, ...names }),
  );
  context.configureLogger({ customLogger, modeAware: true });
  const { logger } = context;
  return eachLevel((level) => (message, fields) => logger[level](message, fields));
}
