import type { Agent } from "node:http";

/**
 * Each call first closes connections that were not used for `idleMs`: the server or a gateway may have ended
 * them while the process was frozen, and each would cost a try.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/best-practices.html "Lambda purges idle connections over time"
 */
export function keepConnections(
  http: { readonly Agent: new (options: { keepAlive: boolean }) => Agent },
  idleMs: number,
  now: () => number,
): () => Agent {
  const agent = new http.Agent({ keepAlive: true });
  const freeSince = new WeakMap<object, number>();
  agent.on("free", (socket: object) => freeSince.set(socket, now()));
  return () => {
    for (const socket of Object.values(agent.freeSockets).flat()) {
      if (socket !== undefined && now() - (freeSince.get(socket) ?? 0) > idleMs) socket.destroy();
    }
    return agent;
  };
}
