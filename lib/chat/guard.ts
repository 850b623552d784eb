import type { PreparedRequest, SendOptions } from "./prepare-request.ts";
import type { Sent } from "./send-request.ts";

/**
 * Stands before every request of a client: it may refuse one, change its limits, and sees what came of it.
 * It passes on what `send` gives or throws.
 */
export type Guard = (
  request: PreparedRequest,
  options: SendOptions,
  send: (options: SendOptions) => Promise<Sent>,
) => Promise<Sent>;
