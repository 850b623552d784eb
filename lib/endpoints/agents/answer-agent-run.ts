import { errorFields } from "../../base/describe-error.ts";
import { sha256Hex } from "../../base/digest.ts";
import type { WholeRequest } from "../../base/http/whole-request.ts";
import { parseJson } from "../../base/json.ts";
import { OutOfTimeError, startTimeLimit } from "../../base/time-limit.ts";
import { unlessAborted } from "../../base/unless-aborted.ts";
import { joinFields } from "../../events/identity.ts";
import { answerOwnRequest } from "../own/answer-own-request.ts";
import type { OwnServices } from "../own/build-own-services.ts";
import { invalidBody, RefusedRequestError } from "../own/refusal.ts";
import type { OwnContext, RequestContext } from "../own/request-definition.ts";
import { runToEnd } from "../own/run-to-end.ts";
import { agentCaller } from "./agent-caller.ts";
import { type AgentAnswer, type AgentInput, agentInputSchema } from "./agent-run.ts";
import { createRunEvents, type Write } from "./run-events.ts";

/** One run: what is asked, how to answer, and what a function can use. */
export interface AgentRun extends AgentInput, AgentAnswer, OwnContext {}

/** Answers one run. Its `signal` is aborted when time is up, or the host reports that the caller is gone. */
export type AgentHandler<Run = AgentRun> = (run: Run) => Promise<unknown> | unknown;

/** A body that is no text is streamed, and never rejects. */
export interface RunResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | ((write: Write, gone?: AbortSignal) => Promise<void>);
}

/** Every run brings its thread's history. */
const definition = { auth: agentCaller, mostBodyBytes: 1_048_576 };

/**
 * Refuses as `answerOwnRequest` does, in JSON; what follows is in the stream, with status 200.
 * @param read called after the credentials are found right
 */
export async function answerAgentRun(
  request: WholeRequest,
  handler: AgentHandler,
  services: OwnServices,
  limitMs: number,
  read: () => Buffer | Promise<Buffer> = () => request.body,
): Promise<RunResponse> {
  const accepted: { run?: AcceptedRun } = {};
  const accept = async (context: RequestContext<unknown, unknown>) => {
    const { success, data } = agentInputSchema.safeParse(parseJson((await read()).toString("utf8")));
    if (!success) throw invalidBody();
    const { threadId, runId, messages } = data;
    const key = joinFields([threadId, runId, messages.at(-1)?.id ?? sha256Hex(JSON.stringify(messages))]);
    accepted.run = {
      context: { ...context, run: { ...context.run, source: "agent run", key } },
      input: data,
    };
    return undefined;
  };
  const refused = await answerOwnRequest(request, definition, accept, services, limitMs);
  const { run } = accepted;
  if (run === undefined || refused.status !== 200) {
    return {
      ...refused,
      headers: { ...refused.headers, "content-type": "application/json", "cache-control": "no-store" },
    };
  }
  return {
    status: 200,
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    },
    body: (write, gone) => stream(run, handler, write, gone),
  };
}

interface AcceptedRun {
  readonly context: OwnContext;
  readonly input: AgentInput;
}

async function stream(
  { context, input }: AcceptedRun,
  handler: AgentHandler,
  write: Write,
  gone: AbortSignal | undefined,
) {
  const { deadlineMs, now, log, count, app } = context;
  using time = startTimeLimit(Math.max(0, deadlineMs - now()), now);
  const signal = gone === undefined ? time.signal : AbortSignal.any([time.signal, gone]);
  const events = createRunEvents(input, write, signal);
  try {
    void events.begin();
    await unlessAborted(signal, () => runToEnd({ ...context, ...input, ...events.answer, signal }, handler));
    await events.finish();
  } catch (error) {
    if (gone?.aborted) {
      log.info("the caller of an agent's run went away", {});
      return;
    }
    const [code, message] = toCodeAndMessage(error);
    log.error("an agent's run failed", { code, ...errorFields(error) });
    count("AgentRunFailed", { appId: app.appId, code });
    await events.fail(code, message).catch(() => undefined);
  }
}

/** Constant, unless the handler chose it. */
function toCodeAndMessage(error: unknown): readonly [code: string, message: string] {
  if (error instanceof RefusedRequestError) return [error.code, error.message];
  if (error instanceof OutOfTimeError) return ["timeout", "The agent took too long."];
  return ["internal_error", "The agent failed."];
}
