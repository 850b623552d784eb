import type { PreparedRequest, SendOptions } from "./prepare-request.ts";
import type { Sent } from "./send-request.ts";

/**
 * Runs before every request of a client. May refuse it or change its limits, sees its result, and must return
 * or throw the result of `send`.
 */
export type Guard = (
  request: PreparedRequest,
  options: SendOptions,
  send: (options: SendOptions) => Promise<Sent>,
) => Promise<Sent>;
