import { type AppRequest, appFamily, readAffix, reply } from "../http/route.ts";
import { defined, type JsonObject } from "../json.ts";
import type { AppServices } from "../services/services.ts";
import { type AppData, getDocument, listDocuments, nextNumber, putDocument } from "../store/database.ts";
import type { Message } from "../store/messages.ts";
import { type DeliveryTarget, findDelivery, listAttempts } from "../store/webhooks.ts";

export type Channel = "push" | "email" | "sms";

type Provider = {
  target: DeliveryTarget;
  needsAddress: boolean;
};

type StoredProvider = Partial<
  Record<"webhookURL" | "basicAuthUsername" | "basicAuthPassword", string> &
    Record<"isEnabled" | "useBasicAuth" | "useStoredPhNo" | "useStoredEmailID", boolean>
>;

export function findProvider(data: AppData, channel: Channel): Provider | undefined {
  const stored = getDocument<StoredProvider>(data, providerKind, `${channel}-custom`);
  if (stored?.isEnabled !== true || stored.webhookURL === undefined) return undefined;
  const { webhookURL: url, basicAuthUsername: username = "", basicAuthPassword: password = "" } = stored;
  return {
    target: { url, credentials: stored.useBasicAuth === true ? { username, password } : undefined },
    needsAddress: stored.useStoredPhNo === true || stored.useStoredEmailID === true,
  };
}

export function sendToProvider(
  services: AppServices,
  channel: Channel,
  notice: { data: JsonObject; uid: string; facts: LogFacts },
): void {
  const provider = findProvider(services, channel);
  if (provider === undefined) return;
  const trigger = `${channel}-notification-payload-generated`;
  const deliveryId = services.outbox.deliver(services.app, {
    name: "custom",
    trigger,
    body: {
      trigger,
      data: notice.data,
      appId: services.appId,
      region: services.app.region,
      webhook: "custom",
    },
    target: provider.target,
  });
  putEntry(services, {
    channel,
    member: notice.uid,
    ...notice.facts,
    payload: notice.data,
    notificationTriggered: true,
    deliveryId,
  });
}

export function logSuppressed(
  services: AppServices,
  silence: { channel: Channel; uid: string; reason: string; facts: LogFacts },
): void {
  putEntry(services, {
    channel: silence.channel,
    member: silence.uid,
    ...silence.facts,
    notificationTriggered: false,
    reason: silence.reason,
  });
}

export function notificationFacts(message: Message, trigger: string): LogFacts {
  const { id, sender, receiver, receiverType, category, type, sentAt } = message;
  return {
    messageId: Number(id),
    messageCategory: category,
    messageType: type,
    trigger,
    messageSentAtMS: sentAt * 1_000,
    sender,
    receiver,
    receiverType,
  };
}

type LogFacts = JsonObject & { trigger: string };

function putEntry(services: AppServices, entry: JsonObject) {
  const atMs = services.clock.now();
  putNotificationLog(services, {
    processingStartedAtMS: atMs,
    processingEndedAtMS: atMs,
    totalProcessingTimeInMS: 0,
    provider: "custom",
    ...entry,
  });
}

export const providerKind = "notification-provider";

export const notificationLogRoutes = appFamily({
  "notifications-logs"(request) {
    const { query } = request;
    const affix = readAffix(query);
    const from = query.integer("from") ?? Number.NEGATIVE_INFINITY;
    const to = query.integer("to") ?? Number.POSITIVE_INFINITY;
    const wanted = [
      ...texts.map((field) => [field, query.text(field)] as const),
      ...numbers.map((field) => [field, query.integer(field)] as const),
      ...flags.map((field) => [field, query.flag(field)] as const),
    ].filter(([, value]) => value !== undefined);
    const found = listDocuments(request, kind)
      .map((entry) => withOutcome(request, entry))
      .filter(
        ({ messageSentAtMS }) =>
          typeof messageSentAtMS !== "number" || (messageSentAtMS >= from && messageSentAtMS <= to),
      )
      .filter((entry) => wanted.every(([field, value]) => entry[field] === value))
      .reverse();
    const at = found.findIndex(({ _id }) => _id === query.text("logId"));
    const rest =
      at === -1 ? found : affix === "append" ? found.slice(at + 1) : found.slice(0, at).slice(-limit);
    const shown = rest.slice(0, limit);
    const edge = (entry: JsonObject | undefined, direction: string) =>
      entry === undefined ? undefined : { affix: direction, messageId: entry.messageId };
    const previous = edge(shown.at(0), "prepend");
    const next = edge(shown.at(-1), "append");
    return reply(shown, {
      meta: {
        ...defined({ previous }),
        current: { limit, count: shown.length },
        ...defined({ next }),
      },
    });
  },
});

export function putNotificationLog(data: AppData, entry: JsonObject): void {
  const _id = nextNumber(data, kind).toString(16).padStart(24, "0");
  putDocument(data, kind, _id, { _id, component: "notifications-core", ...entry });
}

function withOutcome({ db }: AppRequest, { deliveryId, ...entry }: JsonObject) {
  const delivery = typeof deliveryId === "number" ? findDelivery(db, deliveryId) : undefined;
  if (delivery === undefined || delivery.state === "pending") return entry;
  if (delivery.state === "delivered") return { ...entry, success: true };
  const last = listAttempts(db, delivery.id).at(-1);
  const reason = last?.status === 404 ? "NOT_FOUND" : last?.status === undefined ? "TIMED_OUT" : undefined;
  return { ...entry, success: false, ...defined({ reason }) };
}

const texts = [
  "messageCategory",
  "messageType",
  "trigger",
  "sender",
  "reactionSender",
  "receiver",
  "receiverType",
  "reactionReceiver",
  "member",
  "channel",
  "provider",
  "reason",
] as const;
const numbers = ["messageId", "reactionId"] as const;
const flags = ["notificationTriggered", "success"] as const;

// Equals the example's.
const limit = 20;
const kind = "notification-log";
