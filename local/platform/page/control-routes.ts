import type { Context, Hono } from "hono";
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
import type { JsonObject } from "../json.ts";
import { type Clock, isVirtualClock } from "../services/clock.ts";
import { type AppServices, nowSeconds, type Services, servicesOf } from "../services/services.ts";
import { changeSwitches, initialSwitches, switchTable } from "../services/switches.ts";
import { deleteBot, listBots, putBot } from "../store/bots.ts";
import {
  deleteModerationService,
  listModerationServices,
  putModerationService,
} from "../store/moderation-services.ts";
import { findUser, putUser } from "../store/users.ts";
import { activeEngine, setActiveEngine } from "../store/webhooks.ts";

/** What the controls turn. `clock` is the one the platform was given, without skew. */
export type Controlled = { services: Services; faults: FaultControl; clock: Clock };

/** Adds what no operation of the platform offers: faults, switches, the clock, and what dashboards set up. */
export function addControls(app: Hono, { services, faults, clock }: Controlled): void {
  const control = (line: Line, handle: (body: JsonObject) => unknown) =>
    add(app, line, async (context) => handle(await bodyOf(context)));
  const ofApp = (line: Line, handle: OfApp) =>
    add(app, line, async (context) => {
      const appServices = servicesOf(services, requireOwnApp(services, context));
      return handle(appServices, { id: context.req.param("id") ?? "", body: await bodyOf(context) });
    });

  control("GET /faults", () => faults.settings());
  control("PUT /faults", (body) => {
    faults.set(readFaultSettings(body));
    return faults.settings();
  });
  control("DELETE /faults", () => {
    faults.set(noFaults);
    return faults.settings();
  });

  const { switches } = services;
  control("GET /switches", () => ({ values: switches, facts: switchTable }));
  control("PATCH /switches", (body) => {
    changeSwitches(switches, body);
    return { values: switches };
  });
  control("DELETE /switches", () => {
    changeSwitches(switches, initialSwitches());
    return { values: switches };
  });

  control("GET /clock", () => showClock(services, clock));
  control("POST /clock", async ({ advanceMs }) => {
    if (!isVirtualClock(clock)) throw new TypeError("The real clock cannot be moved; start a virtual one.");
    if (typeof advanceMs !== "number" || !(advanceMs >= 0)) {
      throw new TypeError("advanceMs must be a number of at least 0.");
    }
    await clock.advance(advanceMs);
    return showClock(services, clock);
  });

  ofApp("GET /apps/:appId/engine", showEngine);
  ofApp("PUT /apps/:appId/engine", (at, { body }) => {
    setActiveEngine(at, ownChoice(body, "engine", ["current", "legacy"]) === "legacy" ? 1 : 2);
    return showEngine(at);
  });

  ofApp("GET /apps/:appId/bots", (at) => ({ data: listBots(at).map(withoutPassword) }));
  ofApp("PUT /apps/:appId/bots/:id", saveBot);
  ofApp("DELETE /apps/:appId/bots/:id", (at, { id }) => success(deleteBot(at, id.toLowerCase())));

  ofApp("GET /apps/:appId/moderation-services", (at) => ({
    data: listModerationServices(at).map(withoutPassword),
  }));
  ofApp("PUT /apps/:appId/moderation-services/:id", saveModerationService);
  ofApp("DELETE /apps/:appId/moderation-services/:id", (at, { id }) =>
    success(deleteModerationService(at, id)),
  );
}

/** A method and a path below `/_platform`. */
type Line = `${"GET" | "PUT" | "POST" | "PATCH" | "DELETE"} /${string}`;

/** Answers a request about an app; `id` is the last part of the path where it has one. */
type OfApp = (at: AppServices, asked: { id: string; body: JsonObject }) => unknown;

function add(app: Hono, line: Line, handle: (context: Context) => unknown): void {
  const [method = "", path = ""] = line.split(" ");
  app.on(method, `/_platform${path}`, ownJson(handle));
}

async function bodyOf(context: Context): Promise<JsonObject> {
  return ["GET", "DELETE"].includes(context.req.method) ? {} : await readOwnBody(context);
}

// What is not there is answered 404.
function success(isDone: boolean): JsonObject | undefined {
  return isDone ? { success: true } : undefined;
}

function showClock(services: Services, clock: Clock): JsonObject {
  const isVirtual = isVirtualClock(clock);
  return {
    kind: isVirtual ? "virtual" : "real",
    nowMs: services.clock.now(),
    ...(isVirtual ? { pendingTasks: clock.pendingTasks() } : {}),
  };
}

function showEngine(at: AppServices): JsonObject {
  return { engine: activeEngine(at) === 1 ? "legacy" : "current" };
}

function saveBot(at: AppServices, { id, body }: Parameters<OfApp>[1]): JsonObject {
  const uid = requiredId({ uid: id }, "uid");
  const others = listBots(at).filter((bot) => bot.uid !== uid);
  if (others.length >= maxBots) throw new TypeError(`An app has at most ${maxBots} bots.`);
  const bot = {
    uid,
    url: ownUrl(body, "url"),
    credentials: ownCredentials(body),
    groupMessages: ownChoice(body, "groupMessages", ["none", "mentioned", "all"]),
  };
  putBot(at, bot);
  if (findUser(at, uid) === undefined) {
    const name = ownOptionalText(body, "name") ?? uid;
    putUser(at, { uid, name, status: "offline", role: "default", createdAt: nowSeconds(at) });
  }
  at.redactor.refresh();
  return withoutPassword(bot);
}

// @see docs/platform/ids-and-limits.md#quantities
const maxBots = 25;

function saveModerationService(at: AppServices, { id, body }: Parameters<OfApp>[1]): JsonObject {
  const { contextMessages = 0 } = body;
  if (typeof contextMessages !== "number" || !(contextMessages >= 0 && contextMessages <= 10)) {
    throw new TypeError("contextMessages must be a number from 0 to 10.");
  }
  const service = {
    listId: id,
    url: ownUrl(body, "url"),
    credentials: ownCredentials(body),
    onError: ownChoice(body, "onError", ["approve-message", "drop-message"]),
    contextMessages,
  };
  putModerationService(at, service);
  at.redactor.refresh();
  return withoutPassword(service);
}

function withoutPassword({
  credentials,
  ...rest
}: JsonObject & { credentials: { username: string } | undefined }): JsonObject {
  return credentials === undefined ? rest : { ...rest, username: credentials.username };
}
