import { parseJson } from "../../../lib/base/json.ts";
import { isHeldBack } from "../../../lib/effects/effect.ts";
import { effectText } from "../../../lib/effects/outcomes.ts";
import { readOutageRoom } from "../../../lib/queue/lanes/outage-room.ts";
import type { ShownItem } from "../api/world-state.ts";
import type { EffectName } from "./effect-names.ts";

export type Words = Omit<ShownItem, "expiresAtMs" | "facts" | "key">;

type Fields = Readonly<Record<string, unknown>>;
type Describe = (fields: Fields, names: ReadonlyMap<string, EffectName>, nowMs: number) => Words;

/** The described tables, by logical id in serverless.yml. */
export const describedTables: Readonly<
  Record<string, { readonly title: string; readonly describe: Describe }>
> = {
  StateTable: { title: "State of triggers", describe: describeState },
  EffectsTable: { title: "Effects", describe: describeEffect },
  LanesTable: { title: "Lanes and apps", describe: describeLane },
  FlowsTable: { title: "Waits of flows", describe: describeFlow },
  CallsTable: { title: "Calls", describe: describeCall },
  LoginsTable: { title: "Logins", describe: describeOther },
};

function describeState(fields: Fields, _names: ReadonlyMap<string, EffectName>, nowMs: number): Words {
  const { state, app, key, value, until, changes } = fields;
  const isKept = typeof value === "string" && typeof until === "number" && nowMs < until;
  const last: unknown = Array.isArray(changes) ? changes.at(-1) : undefined;
  return {
    title: String(state ?? "value"),
    app: textOf(app),
    about: key === "" || key === undefined ? "the app" : String(key),
    status: isKept ? "kept" : "forgotten",
    tone: isKept ? "good" : "quiet",
    atMs: numberIn(last, "atMs"),
    value: isKept ? value : undefined,
  };
}

function describeEffect(fields: Fields, names: ReadonlyMap<string, EffectName>, nowMs: number): Words {
  const id = String(fields.id ?? "");
  const { owner, deadline, since, result, receivedAt } = fields;
  if (id.startsWith("occurrence#")) {
    const about = "when this event was first received";
    return {
      ...plain,
      title: "First receipt",
      about,
      status: "remembered",
      tone: "quiet",
      atMs: numberOf(receivedAt),
    };
  }
  if (result === undefined && owner === undefined && since === undefined && deadline === undefined) {
    const about = "the automatic answers of a conversation";
    return { ...plain, title: "Answers", about, status: "remembered", tone: "quiet" };
  }
  const name = names.get(id);
  const title = name === undefined ? "An effect" : `${name.trigger}: ${name.effect}`;
  const about = name?.deliveryKey ?? `digest ${id.slice(0, 12)}…`;
  return { ...plain, title, app: name?.appId, about, atMs: numberOf(receivedAt), ...judge(fields, nowMs) };
}

function judge({ owner, deadline, result }: Fields, nowMs: number): Pick<Words, "status" | "tone"> {
  if (typeof result === "string") return judgeResult(result);
  if (owner === undefined)
    return { status: "possibly done, checked before the next attempt", tone: "waiting" };
  if (typeof deadline === "number" && nowMs > deadline) {
    return { status: "begun, but its process ended", tone: "waiting" };
  }
  return { status: "begun", tone: "waiting" };
}

function judgeResult(result: string): Pick<Words, "status" | "tone"> {
  const given = parseJson(result);
  const passedOver = fieldOf(given, "passedOver");
  if (isHeldBack(passedOver)) return { status: effectText(passedOver), tone: "quiet" };
  const id = textOf(fieldOf(given, "id"));
  return { status: id === undefined ? "done" : `done, made ${id}`, tone: "good" };
}

function describeLane(fields: Fields): Words {
  const lane = String(fields.lane ?? "");
  const item = String(fields.item ?? "");
  const [kind = "", ...rest] = lane.split(" ");
  if (kind === "app") {
    const titles: Readonly<Record<string, string>> = {
      health: "Health",
      "in-pause": "Paused",
      "in-shadow": "In shadow",
      parked: "Has parked lanes",
    };
    return { ...plain, title: titles[item] ?? item, app: rest.join(" "), about: "an app", status: "noted" };
  }
  if (kind === "waiting") {
    return {
      ...plain,
      title: "Waits until a pause ends",
      app: rest[0],
      about: item,
      status: "waits",
      tone: "waiting",
    };
  }
  if (item === "state") {
    const { wakeAt, heldBy, since } = fields;
    const held = typeof heldBy === "string" && heldBy !== "" ? heldText(heldBy) : undefined;
    const until = typeof wakeAt === "number" ? `parked until ${new Date(wakeAt).toISOString()}` : "parked";
    return {
      ...plain,
      title: `Parked lane of ${kind}`,
      about: rest.join(" "),
      status: held ?? until,
      tone: "waiting",
      atMs: numberOf(since),
    };
  }
  if (item.startsWith("event ")) {
    return {
      ...plain,
      title: "An event of a parked lane",
      about: rest.join(" "),
      status: "waits",
      tone: "waiting",
    };
  }
  return { ...plain, title: item || lane, about: lane, status: "noted" };
}

function describeFlow(fields: Fields): Words {
  const { waits, flow, flowId, appId, callbackId, untilMs, sinceMs, kind, receivedAt } = fields;
  const [app, trigger] = String(waits ?? "").split(" ");
  if (callbackId !== undefined && untilMs !== undefined) {
    return {
      ...plain,
      title: `Waits for ${String(fields.trigger ?? trigger)}`,
      app: String(appId ?? app),
      about: String(flowId ?? flow ?? ""),
      status: typeof untilMs === "number" ? `until ${new Date(untilMs).toISOString()}` : "waits",
      tone: "waiting",
      atMs: numberOf(sinceMs),
    };
  }
  if (app === "outcome") {
    return {
      ...plain,
      title: "Outcome of a wait",
      about: trigger ?? "",
      status: String(kind ?? "noted"),
      tone: "good",
    };
  }
  const about = String(flowId ?? flow ?? "");
  return {
    ...plain,
    title: String(waits ?? "Noted"),
    app,
    about,
    status: "noted",
    atMs: numberOf(receivedAt),
  };
}

function describeCall(fields: Fields): Words {
  const fact = String(fields.fact ?? "");
  const said = textOf(fieldOf(fields.said, "kind"));
  const about = `call ${String(fields.call ?? "").slice(0, 12)}…`;
  if (fact.startsWith("claim "))
    return { ...plain, title: `Reported: ${fact.slice(6)}`, about, status: "told", tone: "good" };
  return { ...plain, title: said === undefined ? "An occurrence" : `Known: ${said}`, about, status: "known" };
}

function describeOther(fields: Fields): Words {
  const about = Object.entries(fields)
    .map(([name, value]) => `${name} ${typeof value === "object" ? "…" : String(value)}`)
    .join(", ");
  return { ...plain, title: "An item", about, status: "noted" };
}

const plain = { app: undefined, atMs: undefined, value: undefined, tone: "plain" } as const;

function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  return fields[name];
}

function numberIn(value: unknown, name: string): number | undefined {
  return numberOf(fieldOf(value, name));
}

function heldText(heldBy: string): string {
  const outage = readOutageRoom(heldBy);
  return outage === undefined ? `held by the pause ${heldBy}` : `waits until ${outage.destination} answers`;
}
