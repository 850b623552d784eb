import type { Hono } from "hono";
import { type FaultControl, noFaults } from "../faults/control.ts";
import { readFaultSettings } from "../faults/rules.ts";
import { requiredId } from "../http/fields.ts";
import {
  ownChoice,
  ownCredentials,
  ownJson,
  ownOptionalText,
  ownUrl,
  readOwnBody,
  requireOwnApp,
} from "../http/own-json.ts";
import { type Clock, isVirtualClock } from "../services/clock.ts";
import { nowSeconds, type Services } from "../services/services.ts";
import { changeSwitches, initialSwitches, switchTable } from "../services/switches.ts";
import { deleteBot, listBots, putBot } from "../store/bots.ts";
import { activeEngine, setActiveEngine } from "../store/engine.ts";
import {
  deleteModerationService,
  listModerationServices,
  putModerationService,
} from "../store/moderation-services.ts";
import { findUser, putUser } from "../store/users.ts";

/** What the controls turn. `clock` is the one the platform was given, without skew. */
export type Controlled = { services: Services; faults: FaultControl; clock: Clock };

/** Adds what no operation of the platform offers: faults, switches, the clock, and what dashboards set up. */
export function addControls(app: Hono, controlled: Controlled): void {
  addFaults(app, controlled);
  addSwitches(app, controlled);
  addClock(app, controlled);
  addEngine(app, controlled);
  addBots(app, controlled);
  addModerationServices(app, controlled);
}

function addFaults(app: Hono, { faults }: Controlled): void {
  const path = "/_platform/faults";
  app.get(
    path,
    ownJson(() => faults.settings()),
  );
  app.put(
    path,
    ownJson(async (context) => {
      faults.set(readFaultSettings(await readOwnBody(context)));
      return faults.settings();
    }),
  );
  app.delete(
    path,
    ownJson(() => {
      faults.set(noFaults);
      return faults.settings();
    }),
  );
}

function addSwitches(app: Hono, { services }: Controlled): void {
  const path = "/_platform/switches";
  app.get(
    path,
    ownJson(() => ({ values: services.switches, facts: switchTable })),
  );
  app.patch(
    path,
    ownJson(async (context) => {
      changeSwitches(services.switches, await readOwnBody(context));
      return { values: services.switches };
    }),
  );
  app.delete(
    path,
    ownJson(() => {
      changeSwitches(services.switches, initialSwitches());
      return { values: services.switches };
    }),
  );
}

function addClock(app: Hono, { services, clock }: Controlled): void {
  const path = "/_platform/clock";
  const show = () => ({
    kind: isVirtualClock(clock) ? "virtual" : "real",
    nowMs: services.clock.now(),
    ...(isVirtualClock(clock) ? { pendingTasks: clock.pendingTasks() } : {}),
  });
  app.get(path, ownJson(show));
  app.post(
    path,
    ownJson(async (context) => {
      const { advanceMs } = await readOwnBody(context);
      if (!isVirtualClock(clock)) throw new TypeError("The real clock cannot be moved; start a virtual one.");
      if (typeof advanceMs !== "number" || !(advanceMs >= 0)) {
        throw new TypeError("advanceMs must be a number of at least 0.");
      }
      await clock.advance(advanceMs);
      return show();
    }),
  );
}

function addEngine(app: Hono, { services }: Controlled): void {
  const path = "/_platform/apps/:appId/engine";
  const show = (appId: string) => ({
    engine: activeEngine(services.db, appId) === 1 ? "legacy" : "current",
  });
  app.get(
    path,
    ownJson((context) => show(requireOwnApp(services, context).appId)),
  );
  app.put(
    path,
    ownJson(async (context) => {
      const { appId } = requireOwnApp(services, context);
      const engine = ownChoice(await readOwnBody(context), "engine", ["current", "legacy"]);
      setActiveEngine(services.db, appId, engine === "legacy" ? 1 : 2);
      return show(appId);
    }),
  );
}

function addBots(app: Hono, { services }: Controlled): void {
  const path = "/_platform/apps/:appId/bots";
  app.get(
    path,
    ownJson((context) => {
      const { appId } = requireOwnApp(services, context);
      return { data: listBots(services.db, appId).map(withoutPassword) };
    }),
  );
  app.put(
    `${path}/:uid`,
    ownJson(async (context) => {
      const { appId } = requireOwnApp(services, context);
      const body = await readOwnBody(context);
      const uid = requiredId({ uid: context.req.param("uid") }, "uid");
      const others = listBots(services.db, appId).filter((bot) => bot.uid !== uid);
      if (others.length >= maxBots) throw new TypeError(`An app has at most ${maxBots} bots.`);
      const bot = {
        uid,
        url: ownUrl(body, "url"),
        credentials: ownCredentials(body),
        groupMessages: ownChoice(body, "groupMessages", ["none", "mentioned", "all"]),
      };
      putBot(services.db, appId, bot);
      if (findUser(services.db, appId, uid) === undefined) {
        const name = ownOptionalText(body, "name") ?? uid;
        const createdAt = nowSeconds(services);
        putUser(services.db, appId, { uid, name, status: "offline", role: "default", createdAt });
      }
      services.redactor.refresh();
      return withoutPassword(bot);
    }),
  );
  app.delete(
    `${path}/:uid`,
    ownJson((context) => {
      const { appId } = requireOwnApp(services, context);
      const uid = context.req.param("uid") ?? "";
      return deleteBot(services.db, appId, uid.toLowerCase()) ? { success: true } : undefined;
    }),
  );
}

// @see docs/platform/ids-and-limits.md#quantities
const maxBots = 25;

function addModerationServices(app: Hono, { services }: Controlled): void {
  const path = "/_platform/apps/:appId/moderation-services";
  app.get(
    path,
    ownJson((context) => {
      const { appId } = requireOwnApp(services, context);
      return { data: listModerationServices(services.db, appId).map(withoutPassword) };
    }),
  );
  app.put(
    `${path}/:listId`,
    ownJson(async (context) => {
      const { appId } = requireOwnApp(services, context);
      const body = await readOwnBody(context);
      const { contextMessages = 0 } = body;
      if (typeof contextMessages !== "number" || !(contextMessages >= 0 && contextMessages <= 10)) {
        throw new TypeError("contextMessages must be a number from 0 to 10.");
      }
      const service = {
        listId: context.req.param("listId") ?? "",
        url: ownUrl(body, "url"),
        credentials: ownCredentials(body),
        onError: ownChoice(body, "onError", ["approve-message", "drop-message"]),
        contextMessages,
      };
      putModerationService(services.db, appId, service);
      services.redactor.refresh();
      return withoutPassword(service);
    }),
  );
  app.delete(
    `${path}/:listId`,
    ownJson((context) => {
      const { appId } = requireOwnApp(services, context);
      const listId = context.req.param("listId") ?? "";
      return deleteModerationService(services.db, appId, listId) ? { success: true } : undefined;
    }),
  );
}

function withoutPassword<T extends { credentials: { username: string } | undefined }>(item: T) {
  const { credentials, ...rest } = item;
  return credentials === undefined ? rest : { ...rest, username: credentials.username };
}
