import { lazy } from "../base/lazy.ts";
import type { Connection } from "./compose.ts";
import { untouchedBudgets } from "./transport.ts";

/** A connection to an app that its first request opens. */
export interface LaterConnection extends Pick<Connection, "transport"> {
  /** Opens it. A failure is not cached: the next call tries again. @throws the errors of `connect` */
  readonly open: () => Promise<Connection>;
}

/**
 * Prepares a connection that reads and sends nothing before its first request. An error of `connect` fails
 * that request.
 */
export function connectLater(connect: () => Promise<Connection>): LaterConnection {
  let opened: Connection | undefined;
  const open = lazy(async () => {
    opened = await connect();
    return opened;
  });
  return {
    open,
    transport: {
      send: async (request, options) => (await open()).transport.send(request, options),
      noteNotAsDocumented: (operation) => opened?.transport.noteNotAsDocumented(operation),
      rateLimit: () => opened?.transport.rateLimit() ?? untouchedBudgets(),
    },
  };
}
