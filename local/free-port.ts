import { createServer } from "node:net";

/** Gives the wanted port if nobody listens there on this machine, else any free one. 0 means any. */
export async function freePort(wanted: number): Promise<number> {
  return (await tryPort(wanted)) ?? (await freePort(0));
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      const found = typeof address === "object" && address !== null ? address.port : undefined;
      server.close(() => resolve(found));
    });
  });
}
