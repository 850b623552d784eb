import { readAttributes } from "../../../lib/aws/attribute-values.ts";
import { parseJson } from "../../../lib/base/json.ts";
import { isHeldBack } from "../../../lib/effects/effect.ts";
import { effectKey, ledgerIdOf, triggerKey } from "../../../lib/effects/ledger.ts";
import { effectText } from "../../../lib/effects/outcomes.ts";
import type { Item } from "../../cloud/table/attribute-value.ts";
import type { ShownItem } from "../api/world-state.ts";
import { handlerOf } from "../journeys/journey.ts";
import type { JourneyStore } from "../journeys/journey-store.ts";
import { valueAt } from "../read-value.ts";

type Words = Omit<ShownItem, "expiresAtMs" | "facts" | "key">;
type Fields = Readonly<Record<string, unknown>>;

interface ItemContext {
  readonly nowMs: number;
  /** Of effects, by their ids. */
  readonly names: ReadonlyMap<string, EffectName>;
}

/** By logical id in serverless.yml. */
export const shownTables: Readonly<Record<string, string>> = {
  StateTable: "State of triggers",
  EffectsTable: "Effects",
  LanesTable: "Lanes and apps",
  FlowsTable: "Waits of flows",
  CallsTable: "Calls",
  LoginsTable: "Logins",
};

const describers = new Map([
  ["StateTable", describeState],
  ["EffectsTable", describeEffect],
]);

export function listItems(
  items: readonly Item[],
  wanted: ItemContext & {
    readonly logicalId: string;
    readonly search: string;
    readonly nameOf: (item: Item) => string;
  },
): readonly ShownItem[] {
  const search = wanted.search.toLowerCase();
  const describe = describers.get(wanted.logicalId) ?? describeOther;
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
    .filter(({ app = "", title, about, status }) => {
      return `${title} ${about} ${status} ${app}`.toLowerCase().includes(search);
    })
    .toSorted((one, other) => (other.atMs ?? 0) - (one.atMs ?? 0) || (one.key < other.key ? -1 : 1));
}

interface EffectName {
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

export function describeEffect(fields: Fields, { names, nowMs }: ItemContext): Words {
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

function describeOther(fields: Fields): Words {
  const about = Object.entries(fields).map(([name, value]) => {
    return `${name} ${typeof value === "object" ? "…" : String(value)}`;
  });
  return words("An item", about.join(", "), "noted", { app: textOf(fields.appId) });
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
