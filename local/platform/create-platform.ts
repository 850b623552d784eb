import http from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { requireOperationAccess } from "./access/operation-access.ts";
import { resumeApart } from "./apart.ts";
import { defaultSeed } from "./default-seed.ts";
import { createFaultControl, noFaults } from "./faults/control.ts";
import type { FaultPlan } from "./faults/plan.ts";
import type { FaultSettings } from "./faults/rules.ts";
import { createRateLimits } from "./http/rate-limits.ts";
import { createServer } from "./http/server.ts";
import { listeners } from "./listeners.ts";
import { askCustomModeration } from "./moderation/custom-service.ts";
import { createModerator } from "./moderation/moderator.ts";
import { addControls } from "./page/control-routes.ts";
import { addPlatformPages, type DeliveryReport, reportDeliveries } from "./page/platform-routes.ts";
import { appRoutes, managementRoutes } from "./routes.ts";
import { applySeed, type Seed } from "./seed.ts";
import { createAnnounce } from "./services/announce.ts";
import { type Clock, createRealClock, isVirtualClock, skewClock } from "./services/clock.ts";
import { createRecordBus, type PlatformRecord } from "./services/records.ts";
import { createRedactor } from "./services/redact.ts";
import type { Moderator, Services } from "./services/services.ts";
import { initialSwitches, type Switches } from "./services/switches.ts";
import { addActions } from "./simulate/action-routes.ts";
import { addFiles } from "./simulate/file-routes.ts";
import { findApp } from "./store/apps.ts";
import { Database, type Snapshot } from "./store/database.ts";
import { setActiveEngine } from "./store/engine.ts";
import { createAsk } from "./webhooks/create-ask.ts";
import { createOutbox } from "./webhooks/create-outbox.ts";
import { createSender } from "./webhooks/send.ts";

/** How to start a platform; every field may be left out. */
export type PlatformOptions = {
  /** 0 (default) takes any free port. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Default `defaultSeed`. Apps that exist already are left alone. */
  seed?: Seed;
  /** Default the real clock. */
  clock?: Clock;
  /** SQLite file that keeps the state; in memory when absent. */
  dataFile?: string;
  /** Rules with a seed, or a plan of your own. Default: none. */
  faults?: Partial<FaultSettings> | FaultPlan;
  /** Other values than `switchTable` begins with. */
  switches?: Partial<Switches>;
  /** Judges new messages; default: the rules of the app. */
  moderator?: Moderator;
  /** Deliveries in flight at the same time; default 64. */
  maxConcurrentDeliveries?: number;
};

/** A running platform. */
export type Platform = {
  /** Address without a trailing slash, e.g. `http://127.0.0.1:4100`. */
  url: string;
  port: number;
  clock: Clock;
  switches: Switches;
  /** Gives the base address of an app's chat interface (`service` "call": of its Calls interface). */
  appUrl(appId: string, region?: string, service?: "api" | "call"): string;
  /** Gives the base address of the management interface. */
  managementUrl: string;
  /** Empties everything and applies the seed again. */
  reset(): void;
  snapshot(): Snapshot;
  restore(snapshot: Snapshot): void;
  /** Switches an app to the other webhook engine, as the dashboard does. @throws Error when there is no such app */
  switchEngine(appId: string, engine: "legacy" | "current"): void;
  /** Listens to everything that happens; gives the function that ends it. */
  subscribe(listener: (record: PlatformRecord) => void): () => void;
  /** Lists deliveries with their attempts, oldest first. */
  deliveries(filter?: { appId?: string; limit?: number }): DeliveryReport[];
  /** Resolves when no delivery is in flight. Retries in the future do not count. */
  idle(): Promise<void>;
  /** Direct access to the parts, for tests and simulations inside local/platform. */
  services: Services;
  /** Ends the server, all timers and all connections. May be repeated. */
  close(): Promise<void>;
};

/**
 * Starts an emulation of the chat platform as its customers' servers see it.
 * @throws Error with code EADDRINUSE when the port is taken
 * @example
 * const platform = await createPlatform();
 * await fetch(`${platform.appUrl("local-app")}/messages`, { method: "POST", headers: { apikey }, body });
 */
export async function createPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const host = options.host ?? "127.0.0.1";
  const clock = options.clock ?? createRealClock();
  const seed = options.seed ?? defaultSeed;
  const startingFaults = toSettings(options.faults);
  const faults = createFaultControl(startingFaults, toPlan(options.faults));
  const switches = { ...initialSwitches(), ...options.switches };
  const maxConcurrent = options.maxConcurrentDeliveries ?? 64;

  const time = skewClock(clock, () => faults.settings().clockSkewMs);
  const db = new Database(options.dataFile);
  const redactor = createRedactor(db);
  const records = createRecordBus(() => time.now(), redactor.value);
  const sender = createSender(maxConcurrent);
  const outbox = createOutbox({ db, clock: time, records, sender, switches, faults, maxConcurrent });
  const services: Services = {
    db,
    clock: time,
    records,
    redactor,
    outbox,
    switches,
    announce: createAnnounce(listeners, () => services),
    ask: createAsk({ sender, clock: time, records }),
    moderate: options.moderator ?? createModerator(askCustomModeration),
  };

  const seedNow = () => {
    applySeed(services, seed);
    redactor.refresh();
  };
  seedNow();
  if (isVirtualClock(clock)) clock.joinBeforeAdvance(outbox.idle);

  const limits = createRateLimits(time, switches);
  const app = createServer({
    services,
    appRoutes,
    managementRoutes,
    checkAccess: requireOperationAccess,
    faults,
    limits,
    addPlatformPages(hono) {
      addPlatformPages(hono, services);
      addControls(hono, { services, faults, clock });
      addActions(hono, services);
      addFiles(hono, services);
    },
  });
  const server = http.createServer(getRequestListener(app.fetch, { hostname: host }));
  const port = await listen(server, options.port ?? 0, host).catch((error: unknown) => {
    sender.close();
    db.close();
    throw error;
  });
  outbox.resume();
  resumeApart(services);
  let isClosed = false;
  const url = `http://${host}:${port}`;

  return {
    url,
    port,
    clock,
    switches,
    appUrl: (appId, region = "us", service = "api") => `${url}/${appId}.${service}-${region}/v3`,
    managementUrl: `${url}/apimgmt`,
    reset() {
      outbox.pause();
      faults.set(startingFaults);
      limits.clear();
      db.restore({ tables: {} });
      seedNow();
      records.emit(() => ({ type: "state", action: "reset" }));
    },
    snapshot: () => db.snapshot(),
    restore(snapshot) {
      outbox.pause();
      db.restore(snapshot);
      redactor.refresh();
      outbox.resume();
      resumeApart(services);
      records.emit(() => ({ type: "state", action: "restored" }));
    },
    switchEngine(appId, engine) {
      if (findApp(db, appId) === undefined) throw new Error(`There is no app ${appId} on this platform.`);
      setActiveEngine(db, appId, engine === "legacy" ? 1 : 2);
    },
    subscribe: (listener) => records.subscribe(listener),
    deliveries: (filter = {}) => reportDeliveries(services, filter).reverse(),
    idle: () => outbox.idle(),
    services,
    async close() {
      if (isClosed) return;
      isClosed = true;
      outbox.pause();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      sender.close();
      await closed;
      await outbox.idle();
      db.close();
    },
  };
}

function toSettings(given: PlatformOptions["faults"]): FaultSettings {
  return given === undefined || "onRequest" in given ? noFaults : { ...noFaults, ...given };
}

function toPlan(given: PlatformOptions["faults"]): FaultPlan | undefined {
  return given !== undefined && "onRequest" in given ? given : undefined;
}

function listen(server: http.Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.removeListener("error", reject);
      resolve(portOf(server.address()));
    });
  });
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("The server listens on no port.");
  return address.port;
}
