import type { Hono } from "hono";
import { requireOperationAccess } from "./access/operation-access.ts";
import { addDefaultRole } from "./access/roles.ts";
import { apartListeners, resumeApart } from "./apart.ts";
import { notifyBots } from "./chat/bots.ts";
import { defaultSeed } from "./default-seed.ts";
import { createFaultControl, type FaultControl, noFaults } from "./faults/control.ts";
import type { FaultSettings } from "./faults/rules.ts";
import type { AnswerInProcess } from "./http/client-connection.ts";
import { RateLimits } from "./http/rate-limits.ts";
import { createServer } from "./http/server.ts";
import { addBuiltInModeration } from "./moderation/moderation-store.ts";
import { moderate } from "./moderation/moderator.ts";
import { addBuiltInReasons } from "./moderation/reasons.ts";
import {
  addControls,
  addPlatformPages,
  type DeliveryReport,
  reportDeliveries,
} from "./page/platform-routes.ts";
import { appRoutes, managementRoutes } from "./routes.ts";
import { applySeed, type Seed } from "./seed.ts";
import { type Clock, createRealClock, forgettingClock, isVirtualClock, skewClock } from "./services/clock.ts";
import { type PlatformRecord, RecordBus } from "./services/records.ts";
import { Redactor } from "./services/redact.ts";
import { createAnnounce, type Listeners, type Services } from "./services/services.ts";
import { initialSwitches, type Switches } from "./services/switches.ts";
import { addActions, addFiles } from "./simulate/action-table.ts";
import { findApp } from "./store/apps.ts";
import { Database, type Snapshot } from "./store/database.ts";
import { setActiveEngine } from "./store/webhooks.ts";
import { createOutbox } from "./webhooks/create-outbox.ts";
import { emitStoredMessage } from "./webhooks/message-events.ts";
import { askWithin, createAsk, type Sender } from "./webhooks/send.ts";

/** What a platform is made of, however requests reach it; every field may be left out. */
export type CoreOptions = {
  /** Default `defaultSeed`. Apps that exist already are left alone. */
  seed?: Seed;
  /** Default the real clock. */
  clock?: Clock;
  /** SQLite file that keeps the state; in memory when absent. */
  dataFile?: string;
  /** Rules of what goes wrong, with a seed. Default: none. */
  faults?: Partial<FaultSettings>;
  /** Other values than `switchTable` begins with. */
  switches?: Partial<Switches>;
  /** Deliveries to one webhook in flight at the same time; default 32. */
  maxConcurrentDeliveries?: number;
};

/** What every platform offers, however requests reach it. */
export type CorePlatform = {
  clock: Clock;
  switches: Switches;
  /** What goes wrong on purpose, and how often it has. */
  faults: FaultControl;
  /** Empties everything and applies the seed again, or another one. */
  reset(other?: Seed): void;
  snapshot(): Snapshot;
  restore(snapshot: Snapshot): void;
  /**
   * Switches an app to the other webhook engine, as the dashboard does.
   * @throws Error if there is no such app
   */
  switchEngine(appId: string, engine: "legacy" | "current"): void;
  /** Listens to everything that happens; returns the function that ends it. */
  subscribe(listener: (record: PlatformRecord) => void): () => void;
  /** Lists deliveries with their attempts, oldest first. */
  deliveries(filter?: { appId?: string; limit?: number }): DeliveryReport[];
  /** Resolves when no delivery is in flight. Retries in the future do not count. */
  idle(): Promise<void>;
  /** Direct access to the parts, for tests and simulations inside local/platform. */
  services: Services;
};

/** How requests reach the parts, and how they end. */
type CoreControl = {
  /** Answers one request. */
  answer: AnswerInProcess;
  /** Takes up what an earlier run left to do. To be called once, when requests can come. */
  resume(): void;
  /**
   * Ends deliveries at once, and closes the database when no request can come any more. To be called once.
   */
  close(unreachable?: Promise<void>): Promise<void>;
};

/** Puts a platform together and seeds it, without a way in. `sender` carries what it sends out. */
export function assemblePlatform(
  options: CoreOptions,
  sender: Sender,
): { platform: CorePlatform; control: CoreControl } {
  const clock = options.clock ?? createRealClock();
  const seed = options.seed ?? defaultSeed;
  const startingFaults = { ...noFaults, ...options.faults };
  const faults = createFaultControl(startingFaults);
  const switches = { ...initialSwitches(), ...options.switches };
  const maxConcurrent = options.maxConcurrentDeliveries ?? 32;

  // What was begun before a reset or a restore is not gone on with after it.
  let era = 0;
  const time = skewClock(
    forgettingClock(clock, () => era),
    () => faults.settings().clockSkewMs,
  );
  const db = new Database(options.dataFile);
  const redactor = new Redactor(db);
  const records = new RecordBus(time, redactor);
  const outbox = createOutbox({ db, clock: time, records, sender, switches, faults, maxConcurrent });
  const services: Services = {
    db,
    clock: time,
    records,
    redactor,
    outbox,
    switches,
    announce: createAnnounce(listeners, () => services),
    ask: askWithin(createAsk({ sender, clock: time, records }), () => era),
    moderate,
  };

  applySeed(services, seed);
  if (isVirtualClock(clock)) clock.joinBeforeAdvance(outbox.idle);

  const limits = new RateLimits(time, switches);
  const app = createServer({
    services,
    appRoutes,
    managementRoutes,
    checkAccess: requireOperationAccess,
    faults,
    limits,
    addPlatformPages: (hono) => addOwnInterface(hono, { services, faults, clock }),
  });

  const startOver = (content: Snapshot) => {
    era += 1;
    outbox.pause();
    limits.clear();
    db.restore(content);
  };
  const resume = () => {
    outbox.resume();
    resumeApart(services);
  };
  const platform: CorePlatform = {
    clock,
    switches,
    faults,
    reset(other = seed) {
      startOver({ tables: {} });
      faults.set(startingFaults);
      applySeed(services, other);
      records.emit(() => ({ type: "state", action: "reset" }));
    },
    snapshot: () => db.snapshot(),
    restore(snapshot) {
      startOver(snapshot);
      redactor.refresh();
      resume();
      records.emit(() => ({ type: "state", action: "restored" }));
    },
    switchEngine(appId, engine) {
      if (findApp(db, appId) === undefined) throw new Error(`There is no app ${appId} on this platform.`);
      setActiveEngine({ db, appId }, engine === "legacy" ? 1 : 2);
    },
    subscribe: (listener) => records.subscribe(listener),
    deliveries: (filter = {}) => reportDeliveries(services, filter).reverse(),
    idle: () => outbox.idle(),
    services,
  };
  const control: CoreControl = {
    answer: (request, bindings) => app.fetch(request, bindings),
    resume,
    async close(unreachable) {
      outbox.pause();
      sender.close();
      await unreachable;
      await outbox.idle();
      db.close();
    },
  };
  return { platform, control };
}

function addOwnInterface(hono: Hono, parts: { services: Services; faults: FaultControl; clock: Clock }) {
  addPlatformPages(hono, parts.services);
  addControls(hono, parts);
  addActions(hono, parts.services);
  addFiles(hono, parts.services);
}

/** Lists the listeners of each occurrence, in the order in which they are called. */
const listeners: Listeners = {
  appCreated: [addDefaultRole, addBuiltInModeration, addBuiltInReasons],
  messageStored: [emitStoredMessage, notifyBots, ...apartListeners.messageStored],
  membershipChanged: apartListeners.membershipChanged,
  reactionAdded: apartListeners.reactionAdded,
  phoneCallSignalled: apartListeners.phoneCallSignalled,
};
