import { readAttributes } from "../../../lib/aws/attribute-values.ts";
import { parseJson } from "../../../lib/base/json.ts";
import { isHeldBack } from "../../../lib/effects/effect.ts";
import { effectKey, ledgerIdOf, triggerKey } from "../../../lib/effects/ledger.ts";
import { effectText } from "../../../lib/effects/outcomes.ts";
import { readOutageRoom } from "../../../lib/queue/lanes/outage-room.ts";
import type { Item } from "../../cloud/table/attribute-value.ts";
import type { ShownItem } from "../api/world-state.ts";
import { handlerOf } from "../journeys/journey.ts";
import type { JourneyStore } from "../journeys/journey-store.ts";
import { valueAt } from "../read-value.ts";

type Words = Omit<ShownItem, "expiresAtMs" | "facts" | "key">;
type Fields = Readonly<Record<string, unknown>>;

export interface ItemContext {
  readonly nowMs: number;
  /** Of effects, by their ids. */
  readonly names: ReadonlyMap<string, EffectName>;
}

/** The described tables, by logical id in serverless.yml. */
export const describedTables: Readonly<
  Record<
    string,
    { readonly title: string; readonly describe: (fields: Fields, context: ItemContext) => Words }
  >
> = {
  StateTable: { title: "State of triggers", describe: describeState },
  EffectsTable: { title: "Effects", describe: describeEffect },
  LanesTable: { title: "Lanes and apps", describe: describeLane },
  FlowsTable: { title: "Waits of flows", describe: describeFlow },
  CallsTable: { title: "Calls", describe: describeCall },
  LoginsTable: { title: "Logins", describe: describeLogin },
};

export function listItems(
  items: readonly Item[],
  wanted: ItemContext & {
    readonly logicalId: string;
    readonly search: string;
    readonly app: string | undefined;
    readonly nameOf: (item: Item) => string;
  },
): readonly ShownItem[] {
  const search = wanted.search.toLowerCase();
  const describe = describedTables[wanted.logicalId]?.describe ?? describeLogin;
  return items
    .map((item): ShownItem => {
      const plain = Object.entries(readAttributes(item)).map(([name, value]) => {
        return [name, value instanceof Uint8Array ? `${value.byteLength} bytes` : value];
      });
      const facts: Fields = Object.fromEntries(plain);
      const { expiration } = facts;
      const expiresAtMs = typeof expiration === "number" ? expiration * 1000 : undefined;
      return { ...describe(facts, wanted), key: wanted.nameOf(item), expiresAtMs, facts };
    })
    .filter(({ app, title, about, status }) => {
      if (wanted.app !== undefined && app !== undefined && app !== wanted.app) return false;
      return `${title} ${about} ${status} ${app ?? ""}`.toLowerCase().includes(search);
    })
    .toSorted((one, other) => (other.atMs ?? 0) - (one.atMs ?? 0) || (one.key < other.key ? -1 : 1));
}

export interface EffectName {
  readonly appId: string;
  readonly deliveryKey: string;
  readonly trigger: string;
  readonly effect: string;
}

/** From the journeys, because the ledger's ids are digests. */
export function nameEffects({ journeys }: JourneyStore): ItemContext["names"] {
  const names = new Map<string, EffectName>();
  for (const { facts, messages } of journeys.values()) {
    const { appId, deliveryKey } = facts;
    if (deliveryKey === undefined) continue;
    for (const { receivedAtMs, runs } of messages.flatMap(({ attempts }) => attempts)) {
      for (const run of runs) {
        const trigger = handlerOf(run);
        // The time of its first receipt follows a key that can recur.
        for (const factKey of [deliveryKey, `${deliveryKey}|@${receivedAtMs}`]) {
          const key = triggerKey({ appId, factKey, triggerName: trigger });
          for (const { name: effect } of run.effects)
            names.set(ledgerIdOf(effectKey(key, effect)), { appId, deliveryKey, trigger, effect });
        }
      }
    }
  }
  return names;
}

function words(title: unknown, about: string, status: string, more: Partial<Words> = {}): Words {
  return {
    ...{ title: String(title), about, status },
    ...{ app: undefined, atMs: undefined, value: undefined, tone: "plain", ...more },
  };
}

function describeState(
  { state = "value", app, key = "", value, until, changes }: Fields,
  { nowMs }: ItemContext,
) {
  const last: unknown = Array.isArray(changes) ? changes.at(-1) : undefined;
  const more = { app: textOf(app), atMs: numberOf(valueAt(last, "atMs")) };
  const about = key === "" ? "the app" : String(key);
  return typeof value === "string" && typeof until === "number" && nowMs < until
    ? words(state, about, "kept", { ...more, tone: "good", value })
    : words(state, about, "forgotten", { ...more, tone: "quiet" });
}

function describeEffect(fields: Fields, { names, nowMs }: ItemContext): Words {
  const id = String(fields.id ?? "");
  const { owner, deadline, since, result, receivedAt, app } = fields;
  const atMs = numberOf(receivedAt);
  if (id.startsWith("occurrence#"))
    return words("First receipt", "when this event was first received", "remembered", {
      tone: "quiet",
      atMs,
    });
  if ([result, owner, since, deadline].every((value) => value === undefined))
    return words("Answers", "the automatic answers of a conversation", "remembered", { tone: "quiet" });
  const name = names.get(id);
  const title = name === undefined ? "An effect" : `${name.trigger}: ${name.effect}`;
  const about = name?.deliveryKey ?? `digest ${id.slice(0, 12)}…`;
  const of = { app: name?.appId ?? textOf(app), atMs };
  if (typeof result === "string") {
    const given = parseJson(result);
    const passedOver = valueAt(given, "passedOver");
    if (isHeldBack(passedOver)) return words(title, about, effectText(passedOver), { ...of, tone: "quiet" });
    const made = textOf(valueAt(given, "id"));
    return words(title, about, made === undefined ? "done" : `done, made ${made}`, { ...of, tone: "good" });
  }
  const isLeft = typeof deadline === "number" && nowMs > deadline;
  const begun = isLeft ? "begun, but its process ended" : "begun";
  const status = owner === undefined ? "possibly done, checked before the next attempt" : begun;
  return words(title, about, status, { ...of, tone: "waiting" });
}

const appItems: Readonly<Record<string, string>> = {
  health: "Health",
  "in-pause": "Paused",
  "in-shadow": "In shadow",
  parked: "Has parked lanes",
};

function describeLane({ lane = "", item = "", wakeAt, heldBy, since }: Fields): Words {
  const [kind = "", ...rest] = String(lane).split(" ");
  const about = rest.join(" ");
  if (kind === "app") return words(appItems[String(item)] ?? item, "an app", "noted", { app: about });
  if (kind === "waiting")
    return words("Waits until a pause ends", String(item), "waits", { app: rest[0], tone: "waiting" });
  if (String(item).startsWith("event "))
    return words("An event of a parked lane", about, "waits", { tone: "waiting" });
  if (item !== "state") return words(item || lane, String(lane), "noted");
  const until = typeof wakeAt === "number" ? `parked until ${timeOf(wakeAt)}` : "parked";
  const status = typeof heldBy === "string" && heldBy !== "" ? heldText(heldBy) : until;
  return words(`Parked lane of ${kind}`, about, status, { tone: "waiting", atMs: numberOf(since) });
}

function heldText(heldBy: string): string {
  const outage = readOutageRoom(heldBy);
  return outage === undefined ? `held by the pause ${heldBy}` : `waits until ${outage.destination} answers`;
}

function describeFlow(fields: Fields): Words {
  const { waits = "", flow = "", flowId = flow, callbackId, untilMs, sinceMs, receivedAt } = fields;
  const [app, trigger = ""] = String(waits).split(" ");
  if (callbackId !== undefined && untilMs !== undefined) {
    const status = typeof untilMs === "number" ? `until ${timeOf(untilMs)}` : "waits";
    const more = { app: textOf(fields.appId) ?? app, tone: "waiting", atMs: numberOf(sinceMs) } as const;
    return words(`Waits for ${fields.trigger ?? trigger}`, String(flowId), status, more);
  }
  if (app === "outcome")
    return words("Outcome of a wait", trigger, String(fields.kind ?? "noted"), { tone: "good" });
  return words(waits || "Noted", String(flowId), "noted", { app, atMs: numberOf(receivedAt) });
}

function describeCall({ fact = "", said, call = "" }: Fields): Words {
  const [known, about] = [textOf(valueAt(said, "kind")), `call ${String(call).slice(0, 12)}…`];
  if (String(fact).startsWith("claim "))
    return words(`Reported: ${String(fact).slice(6)}`, about, "told", { tone: "good" });
  return words(known === undefined ? "An occurrence" : `Known: ${known}`, about, "known");
}

function describeLogin(fields: Fields): Words {
  const about = Object.entries(fields).map(([name, value]) => {
    return `${name} ${typeof value === "object" ? "…" : String(value)}`;
  });
  return words("An item", about.join(", "), "noted");
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
