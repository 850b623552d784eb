import type { PreparedRequest, SendOptions } from "./prepare-request.ts";
import type { Sent } from "./send-request.ts";

/** May refuse a request or change its limits; must return or throw the result of `send`. */
export type Guard = (
  request: PreparedRequest,
  options: SendOptions,
  send: (options: SendOptions) => Promise<Sent>,
) => Promise<Sent>;
