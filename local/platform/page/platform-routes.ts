import type { Context, Hono, Next } from "hono";
import * as z from "zod/mini";
import { type FaultControl, noFaults } from "../faults/control.ts";
import { readFaultSettings } from "../faults/rules.ts";
import { requiredId } from "../http/fields.ts";
import { addOwn, addOwnOfApp, readOwnBody } from "../http/own-json.ts";
import { omit } from "../json.ts";
import { readWith } from "../read-with.ts";
import { type AppServices, nowSeconds, type Services } from "../services/services.ts";
import { switchTable } from "../services/switch-table.ts";
import { changeSwitches, initialSwitches } from "../services/switches.ts";
import { deleteBot, listBots, type ModerationService, maxBots, putBot, serviceKind } from "../store/bots.ts";
import { deleteDocument, listDocuments, putDocument } from "../store/database.ts";
import { selectMessages } from "../store/messages.ts";
import { type Found, searchApp } from "../store/search.ts";
import { findUser, putUser } from "../store/users.ts";
import {
  type Attempt,
  activeEngine,
  type Delivery,
  listAttempts,
  listDeliveries,
  setActiveEngine,
} from "../store/webhooks.ts";
import type { MessageHit, SearchAnswer } from "./search-answer.ts";

export type DeliveryReport = Omit<Delivery, "body" | "target"> & { attempts: Attempt[]; body: unknown };

/**
 * Adds pages below `/_platform` under loopback names only: web pages elsewhere cannot read them through
 * their own name.
 */
export function addPlatformPages(app: Hono, services: Services): void {
  app.use("/_platform/*", refuseForeignHosts);
  app.get("/none/", (context) => context.redirect("/_platform/"));
  app.get("/_platform", (context) => context.redirect("/_platform/"));
  app.get("/_platform/", (context) => context.text(addresses));
  app.get("/_platform/fidelity", async (context) => {
    const { renderMarkdown } = await import("../ledger/markdown.ts");
    return context.text(renderMarkdown(await loadLedger()));
  });
  app.get("/_platform/fidelity.json", async (context) => context.json({ data: await loadLedger() }));
  addOwnOfApp(app, services, {
    "GET /messages"(at, context) {
      const messages = selectMessages(at, { conditions: [], newestFirst: true, limit: limitOf(context) });
      return { data: services.redactor.value(messages.reverse()) };
    },
    "GET /deliveries": ({ appId }, context) => ({
      data: reportDeliveries(services, { appId, limit: limitOf(context) }).reverse(),
    }),
    /** Reads `?text=&limit=`; `limit` is per kind, 8 by default. */
    "GET /search"(at, context): SearchAnswer {
      const text = (context.req.query("text") ?? "").slice(0, 200);
      const limit = Math.min(Number(context.req.query("limit")) || 8, 100);
      const { messages, ...found } = services.redactor.value(searchApp(at, text, limit));
      return { ...found, messages: messages.map((one) => toHit(one, text)) };
    },
  });
}

const addresses = `The local chat platform. Below /_platform it shows and controls what it holds:

  apps/{appId}/messages     the newest messages (?limit=, at most 1000)
  apps/{appId}/deliveries   the newest webhook deliveries with their attempts
  apps/{appId}/search       messages, users and groups by id, or by the words of a text or name (?text=)
  fidelity, fidelity.json   the evidence for each behaviour of the emulation
  faults, switches          injected faults, undocumented behaviours
  apps/{appId}/engine, apps/{appId}/bots, apps/{appId}/moderation-services
                            what the platform's dashboard sets up
  files, users, groups, messages, calls and meetings below apps/{appId}
                            what users do through clients
`;

/** Newest first; `limit` is 20,000 by default. */
export function reportDeliveries(
  services: Services,
  filter: { appId?: string; limit?: number },
): DeliveryReport[] {
  return listDeliveries(services.db, filter.appId, filter.limit ?? 20_000).map((delivery) => ({
    ...omit(delivery, "target"),
    body: services.redactor.value<unknown>(JSON.parse(delivery.body)),
    attempts: listAttempts(services.db, delivery.id),
  }));
}

// Loaded on demand: it reads the emulation's sources.
async function loadLedger() {
  const { readLedger } = await import("../ledger/read-ledger.ts");
  return readLedger();
}

async function refuseForeignHosts(context: Context, next: Next) {
  const { hostname } = new URL(context.req.url);
  if (!["127.0.0.1", "localhost", "[::1]"].includes(hostname)) {
    return context.json(
      { error: { code: "LOOPBACK_ONLY", message: "Open this page under 127.0.0.1." } },
      403,
    );
  }
  await next();
  return undefined;
}

function limitOf(context: Context) {
  const value = Number(context.req.query("limit") ?? 100);
  return Number.isInteger(value) && value > 0 ? Math.min(value, 1_000) : 100;
}

export function addControls(app: Hono, services: Services, faults: FaultControl): void {
  const { switches } = services;
  addOwn(app, {
    "GET /faults": () => faults.settings(),
    async "PUT /faults"(context) {
      faults.set(readFaultSettings(await readOwnBody(context)));
      return faults.settings();
    },
    "DELETE /faults"() {
      faults.set(noFaults);
      return faults.settings();
    },
    "GET /switches": () => ({ values: switches, facts: switchTable }),
    async "PATCH /switches"(context) {
      changeSwitches(switches, await readOwnBody(context));
      return { values: switches };
    },
    "DELETE /switches"() {
      changeSwitches(switches, initialSwitches());
      return { values: switches };
    },
  });
  addOwnOfApp(app, services, {
    "GET /engine": showEngine,
    async "PUT /engine"(at, context) {
      const { engine } = readWith(engineSchema, await readOwnBody(context), "engine");
      setActiveEngine(at, engine === "legacy" ? 1 : 2);
      return showEngine(at);
    },
    "GET /bots": (at) => ({ data: listBots(at).map((bot) => omit(bot, "password")) }),
    async "PUT /bots/:id"(at, context) {
      const uid = requiredId({ uid: idOf(context) }, "uid");
      const others = listBots(at).filter((bot) => bot.uid !== uid);
      if (others.length >= maxBots) throw new TypeError(`An app has at most ${maxBots} bots.`);
      const { name = uid, ...fields } = readWith(botSchema, await readOwnBody(context), "bot");
      const bot = { uid, ...fields };
      putBot(at, bot);
      if (findUser(at, uid) === undefined) {
        putUser(at, { uid, name, status: "offline", role: "default", createdAt: nowSeconds(at) });
      }
      at.redactor.refresh();
      return omit(bot, "password");
    },
    "DELETE /bots/:id": (at, context) => success(deleteBot(at, idOf(context).toLowerCase())),
    "GET /moderation-services": (at) => ({
      data: listDocuments<ModerationService>(at, serviceKind).map((service) => omit(service, "password")),
    }),
    async "PUT /moderation-services/:id"(at, context) {
      const listId = idOf(context);
      const service = { listId, ...readWith(serviceSchema, await readOwnBody(context), "service") };
      putDocument(at, serviceKind, listId, service);
      at.redactor.refresh();
      return omit(service, "password");
    },
    "DELETE /moderation-services/:id": (at, context) =>
      success(deleteDocument(at, serviceKind, idOf(context))),
  });
}

function idOf(context: Context) {
  return context.req.param("id") ?? "";
}

function success(isDone: boolean) {
  return isDone ? { success: true } : undefined;
}

function showEngine(at: AppServices) {
  return { engine: activeEngine(at) === 1 ? "legacy" : "current" };
}

const filled = z.exactOptional(z.string().check(z.regex(/\S/, "must not be blank")));
const address = z.url({ protocol: /^https?$/, error: "must be an http address" });

const server = { url: address, username: filled, password: filled };
const together = z.refine<{ username?: string; password?: string }>(
  ({ username, password }) => (username === undefined) === (password === undefined),
  "needs username and password, or neither",
);
const botSchema = z
  .object({
    ...server,
    name: filled,
    groupMessages: z._default(z.enum(["none", "mentioned", "slashed", "all"]), "none"),
  })
  .check(together);
const serviceSchema = z
  .object({
    ...server,
    onError: z._default(z.enum(["approve-message", "drop-message"]), "approve-message"),
    contextMessages: z._default(z.number().check(z.gte(0), z.lte(10)), 0),
  })
  .check(together);
const engineSchema = z.object({ engine: z._default(z.enum(["current", "legacy"]), "current") });

function toHit({ message, reader }: Found["messages"][number], searched: string): MessageHit {
  const { id, conversationId, sender, receiver, sentAt, category, type, data } = message;
  const excerpt = typeof data.text === "string" ? excerptOf(data.text, searched) : `${category}, ${type}`;
  return { id, conversationId, sender, receiver, sentAt, excerpt, reader };
}

const before = 40;
const longest = 160;

function excerptOf(text: string, searched: string) {
  const line = text.replaceAll(/\s+/g, " ");
  const words = searched.toLowerCase().split(/\s+/).filter(Boolean);
  const places = words.map((word) => line.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const from = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - before);
  return `${from > 0 ? "…" : ""}${line.slice(from, from + longest)}${line.length > from + longest ? "…" : ""}`;
}
