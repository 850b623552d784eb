import { lazy } from "../base/lazy.ts";
import type { Connection } from "./compose.ts";
import { untouchedBudgets } from "./transport.ts";

/** A way to an app that its first request opens. */
export interface LaterConnection extends Pick<Connection, "transport"> {
  /** Opens it. A failure is not kept: the next one tries again. @throws what `connect` throws */
  readonly open: () => Promise<Connection>;
}

/** Prepares a way to an app; nothing is read or sent before its first request, whose failure a failure of `connect` is. */
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
