import { lazy } from "../base/lazy.ts";
import { pause } from "../base/pause.ts";
import type { Connection } from "./compose.ts";
import { untouchedBudgets } from "./transport.ts";

export interface LaterConnection extends Pick<Connection, "transport"> {
  /** Does not cache a failure. @throws the errors of `connect` */
  readonly open: () => Promise<Connection>;
}

/** Reads and sends nothing before its first request, which fails with an error of `connect`. */
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
      timing: () => opened?.transport.timing() ?? { now: Date.now, sleep: pause, repeats: true },
      rateLimit: () => opened?.transport.rateLimit() ?? untouchedBudgets(),
    },
  };
}
