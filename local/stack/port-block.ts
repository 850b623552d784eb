import { connect, createServer } from "node:net";
import type { KeptStack } from "./data-folder.ts";

export type Ports = Readonly<KeptStack["ports"]>;

/** @param first 0: any free ports */
export function portBlock(first: number): Ports {
  const at = (offset: number) => (first === 0 ? 0 : first + offset);
  return { console: first, platform: at(1), http: at(2), lambda: at(3) };
}

const blockSize = 10;
const lastPort = 65_535;

/** Chooses these if all are free, else the next four free ports, else any. If one is taken, choose again. */
export async function chooseBlock(wanted: Ports): Promise<Ports> {
  if (await areFree(wanted)) return wanted;
  if (wanted.console === 0) return portBlock(0);
  for (let first = wanted.console + blockSize; first + 3 <= lastPort; first += blockSize) {
    const block = portBlock(first);
    if (await areFree(block)) return block;
  }
  return portBlock(0);
}

async function areFree(ports: Ports) {
  const free = await Promise.all(Object.values(ports).map(isFree));
  return free.every(Boolean);
}

async function isFree(port: number): Promise<boolean> {
  if (port === 0) return true;
  if (port > lastPort) return false;
  // On macOS, 127.0.0.1 can be listened on although another process listens on all addresses: only a request
  // detects that.
  return !(await answers(port)) && (await canListen(port));
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
