import http from "node:http";
import { getRequestListener } from "@hono/node-server";
import { hiderOf } from "../../lib/base/known-secrets.ts";
import type { World } from "../stack/world.ts";
import { keepCalls } from "./calls/call-store.ts";
import { createConsoleApp } from "./console-app.ts";
import { keepJournal } from "./journeys/keep-journal.ts";
import { keepLines } from "./log/line-store.ts";
import { createNotices } from "./notices.ts";
import { createPageFiles } from "./page-files.ts";

export interface ConsoleOptions {
  readonly world: World;
  readonly port?: number;
  /** Receives messages for the developer, such as build errors of the page. */
  readonly report: (text: string) => void;
}

export interface RunningConsole {
  readonly url: string;
  close(): Promise<void>;
}

/** On 127.0.0.1. @throws Error with code EADDRINUSE */
export async function startConsole({ world, port = 0, report }: ConsoleOptions): Promise<RunningConsole> {
  const notices = createNotices(world);
  const files = createPageFiles();
  const { redactor } = world.platform.services;
  redactor.hideWith(hiderOf);
  const { subscribe } = world;
  const { calls, ...keptCalls } = keepCalls({ subscribe, redact: (text) => redactor.text(text) });
  const journal = keepJournal(world);
  const { lines, ...keptLines } = keepLines(world);
  const app = createConsoleApp({ world, calls, journal, lines }, { files, report }, notices);
  const listener = getRequestListener((request) => app.fetch(request), { overrideGlobalObjects: false });
  const server = http.createServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
  const address = server.address();
  const ownPort = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${ownPort}`,
    async close() {
      for (const one of [notices, keptCalls, journal, keptLines]) one.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await files.close();
    },
  };
}
