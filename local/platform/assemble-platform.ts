import { requireOperationAccess } from "./access/operation-access.ts";
import { addDefaultRole } from "./access/roles.ts";
import { type AgentScript, addApartPages, apartControls, apartListeners, resumeApart } from "./apart.ts";
import { notifyBots } from "./chat/bots.ts";
import { defaultSeed } from "./default-seed.ts";
import { createFaultControl, type FaultControl, noFaults } from "./faults/control.ts";
import type { FaultSettings } from "./faults/rules.ts";
import type { AnswerInProcess } from "./http/client-connection.ts";
import { RateLimits } from "./http/rate-limits.ts";
import { createServer } from "./http/server.ts";
import { carryOutRules } from "./moderation/carry-out.ts";
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
import { Background } from "./services/background.ts";
import { type Clock, createRealClock, forgettingClock, isVirtualClock, skewClock } from "./services/clock.ts";
import { type PlatformRecord, RecordBus, Redactor } from "./services/records.ts";
import { createAnnounce, type Listeners, type Services } from "./services/services.ts";
import { initialSwitches, type Switches } from "./services/switches.ts";
import { addActions, addFiles } from "./simulate/action-table.ts";
import { findApp } from "./store/apps.ts";
import { Database, type Snapshot } from "./store/database.ts";
import { setActiveEngine } from "./store/webhooks.ts";
import { emitStoredMessage } from "./webhooks/message-events.ts";
import { DeliveryOutbox } from "./webhooks/outbox.ts";
import { askWithin, createAsk, type Sender } from "./webhooks/send.ts";

/** Every field is optional. */
export type CoreOptions = {
  /** Default `defaultSeed`. Existing apps are unchanged. */
  seed?: Seed;
  /** Default: the real clock. */
  clock?: Clock;
  /** Slow requests wait on it. Default: `clock`. */
  latencyClock?: Clock;
  /** An SQLite file; default: in memory. */
  dataFile?: string;
  /** Initial rules. Default: none. */
  faults?: Partial<FaultSettings>;
  /** Overrides the initial values of `switchTable`. */
  switches?: Partial<Switches>;
  /** Simultaneous deliveries to one webhook; default 32. */
  maxConcurrentDeliveries?: number;
};

export type CorePlatform = {
  clock: Clock;
  switches: Switches;
  /** The deliberate faults, with their counts. */
  faults: FaultControl;
  /** Empties everything and applies the seed, or another one. */
  reset(other?: Seed): void;
  snapshot(): Snapshot;
  restore(snapshot: Snapshot): void;
  /** Switches an app to the other webhook engine. @throws Error if there is no such app */
  switchEngine(appId: string, engine: "legacy" | "current"): void;
  /**
   * Replaces the script of an agent that the platform runs.
   * @throws TypeError if the script is invalid, Error if there is no such agent
   */
  scriptAgent(appId: string, uid: string, script: AgentScript): void;
  /** Listens to every record; returns the function that unsubscribes. */
  subscribe(listener: (record: PlatformRecord) => void): () => void;
  /** Returns deliveries with their attempts, oldest first. */
  deliveries(filter?: { appId?: string; limit?: number }): DeliveryReport[];
  /** Resolves when no delivery is in flight and no agent runs; future retries do not count. */
  idle(): Promise<void>;
  /** The parts, for tests and simulations inside local/platform. */
  services: Services;
};

type CoreControl = {
  answer: AnswerInProcess;
  /** Continues what an earlier run left. Called once requests can come. */
  resume(): void;
  /** Ends deliveries immediately, and closes the database when no request can come. Called once. */
  close(unreachable?: Promise<void>): Promise<void>;
};

/** Creates a seeded platform. `sender` sends its requests. */
export function assemblePlatform(
  options: CoreOptions,
  sender: Sender,
): { platform: CorePlatform; control: CoreControl } {
  const { seed = defaultSeed, clock = createRealClock() } = options;
  const startingFaults = { ...noFaults, ...options.faults };
  const faults = createFaultControl(startingFaults, () => clock.now());
  // Work from before a reset or restore does not continue.
  let era = 0;
  const services = createServices(options, sender, { clock, faults, era: () => era });
  const { db, outbox, records, switches, background } = services;
  applySeed(services, seed);
  const idle = idleOf(services);
  if (isVirtualClock(clock)) clock.joinBeforeAdvance(idle);
  const limits = new RateLimits(services.clock, switches);
  const app = createRoutes(services, faults, limits);
  const startOver = (content: Snapshot) => {
    era += 1;
    outbox.pause();
    limits.clear();
    db.restore(content);
  };
  const resume = () => {
    services.redactor.refresh();
    outbox.resume();
    resumeApart(services);
  };
  const platform: CorePlatform = {
    clock,
    switches,
    faults,
    idle,
    services,
    reset(other = seed) {
      startOver({ tables: {} });
      faults.set(startingFaults);
      applySeed(services, other);
      records.emit(() => ({ type: "state", action: "reset" }));
    },
    snapshot: () => db.snapshot(),
    restore(snapshot) {
      try {
        startOver(snapshot);
      } finally {
        resume();
      }
      records.emit(() => ({ type: "state", action: "restored" }));
    },
    ...controlsOf(services),
  };
  const close = async (unreachable?: Promise<void>) => {
    era += 1;
    outbox.pause();
    background.stop();
    sender.close();
    await unreachable;
    await idle();
    db.close();
  };
  return { platform, control: { answer: (...request) => app.fetch(...request), resume, close } };
}

function idleOf({ background, outbox }: Services) {
  return async () => {
    do {
      await background.idle();
      await outbox.idle();
    } while (!background.isIdle);
  };
}

function createRoutes(services: Services, faults: FaultControl, limits: RateLimits) {
  const checkAccess = requireOperationAccess;
  const app = createServer({
    services,
    faults,
    limits,
    checkAccess,
    routes: [...appRoutes, ...managementRoutes],
  });
  const add = [addPlatformPages, addControls, addActions, addFiles, addApartPages];
  for (const routes of add) routes(app, services, faults);
  return app;
}

function controlsOf(services: Services) {
  const { db, records } = services;
  return {
    switchEngine(appId, engine) {
      if (findApp(db, appId) === undefined) throw new Error(`There is no app ${appId} on this platform.`);
      setActiveEngine({ db, appId }, engine === "legacy" ? 1 : 2);
    },
    scriptAgent: (appId, uid, script) => apartControls.scriptAgent({ db, appId }, uid, script),
    subscribe: (listener) => records.subscribe(listener),
    deliveries: (filter = {}) => reportDeliveries(services, filter).reverse(),
  } satisfies Partial<CorePlatform>;
}

function createServices(
  { dataFile, switches: given, maxConcurrentDeliveries: maxConcurrent = 32, latencyClock }: CoreOptions,
  sender: Sender,
  { clock: own, faults, era }: { clock: Clock; faults: FaultControl; era: () => number },
): Services {
  const switches = { ...initialSwitches(), ...given };
  const clock = skewClock(forgettingClock(own, era), () => faults.settings().clockSkewMs);
  const db = new Database(dataFile);
  const redactor = new Redactor(db);
  const records = new RecordBus(clock, redactor);
  const services: Services = {
    db,
    clock,
    latencyClock: forgettingClock(latencyClock ?? own, era),
    records,
    redactor,
    switches,
    moderate,
    outbox: new DeliveryOutbox({ db, clock, records, sender, switches, faults, maxConcurrent }),
    announce: createAnnounce(listeners, () => services),
    ask: askWithin(createAsk({ sender, clock, records }), era),
    background: new Background(),
  };
  return services;
}

const listeners: Listeners = {
  appCreated: [addDefaultRole, addBuiltInModeration, addBuiltInReasons],
  messageStored: [emitStoredMessage, carryOutRules, notifyBots, ...apartListeners.messageStored],
  messageEdited: [carryOutRules],
  membershipChanged: apartListeners.membershipChanged,
  reactionAdded: apartListeners.reactionAdded,
  phoneCallSignalled: apartListeners.phoneCallSignalled,
};
