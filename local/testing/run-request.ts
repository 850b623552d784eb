import type { FunctionRequest, RequestOutcome, RunnableRequest, RunRequestOptions } from "./function-run.ts";

/**
 * Sends one request to a function that `onRequest` made, as API Gateway hands it over (payload format 2.0), with the emulated
 * platform and the secrets in memory. No setting of the process is read or changed: runs may stand side by side.
 * What the handler asks of other hosts leaves the process. May be repeated: each run has a world of its own.
 * @throws InvalidInputError for an argument that is wrong, Error for a path that is none of the route's; what the handler throws is answered 500 or 503
 * @example const { status, sent } = await runRequest(handler, { path: "/notify/app-1", body: { group: "lobby", text: "Hello" } });
 */
export async function runRequest(
  handler: RunnableRequest,
  request: FunctionRequest,
  options: RunRequestOptions = {},
): Promise<RequestOutcome> {
  // Loaded then: a test that only builds events needs no world.
  const { playRequest } = await import("./kit/play-function.ts");
  return await playRequest(handler, request, options);
}
