import type { FunctionRequest, RequestOutcome, RunnableRequest, RunRequestOptions } from "./function-run.ts";

/**
 * Sends one request to a function of `onRequest`, `onAgentTool` or `onAgentRun`, as API Gateway does (payload
 * format 2.0), with the emulated platform and secrets in memory. Leaves the process's environment alone: runs
 * may be concurrent. The handler's requests to other hosts leave the process. Repeatable: each run has its
 * own state.
 * @throws InvalidInputError for an invalid argument, Error if the path does not match the route; an error of
 * the handler is answered 500 or 503
 * @example const { status, sent } = await runRequest(handler, { path: "/notify/app-1", body: { group:
 * "lobby", text: "Hello" } });
 */
export async function runRequest(
  handler: RunnableRequest,
  request: FunctionRequest,
  options: RunRequestOptions = {},
): Promise<RequestOutcome> {
  const { playRequest } = await import("./kit/play-function.ts");
  return await playRequest(handler, request, options);
}
