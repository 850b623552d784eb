import type { CorePlatform } from "../platform/assemble-platform.ts";
import type { PlatformRecord } from "../platform/services/records.ts";
import { checkFieldNames } from "./check-given.ts";

/** What came to the platform and what it sent, since it began, or since `reset` or `clear`. Of a platform that is closed, `deliveries` throws. */
export interface PlatformJournal {
  /**
   * Gives the requests that were answered, or were not on purpose, in the order in which they ended; of those that match.
   * @throws InvalidInputError for a field that none has
   */
  requests(where?: Partial<JournalRequest>): readonly JournalRequest[];
  /** Gives what the platform tells webhooks, bots and notification providers, in the order of what happened; of those that match. */
  deliveries(where?: Partial<JournalDelivery>): readonly JournalDelivery[];
  /** Forgets what it holds so far. */
  clear(): void;
}

/** A request to the platform. */
export interface JournalRequest {
  /** Undefined where the address names none. */
  readonly appId: string | undefined;
  /** The operation's id in the platform's reference, such as `send-message`; undefined where there is none. */
  readonly operation: string | undefined;
  readonly method: string;
  /** As sent, with the query: `/local-app.api-us/v3/messages?limit=2`. */
  readonly path: string;
  readonly onBehalfOf: string | undefined;
  readonly userAgent: string | undefined;
  /** Parsed where it is JSON; undefined where there is none, or it was not read. */
  readonly body: unknown;
  /** What it was answered with, or would have been if a fault had let the answer out; 0 where it was never done. */
  readonly status: number;
  /** Of a refusal, such as `ERR_UID_NOT_FOUND`. */
  readonly code: string | undefined;
  /** The fault that struck, in words. */
  readonly fault: string | undefined;
  /** Parsed where it is JSON. */
  readonly answer: unknown;
  /** When it was answered, by the platform's clock. */
  readonly at: Date;
}

/** An event on its way to one webhook, bot or notification provider. */
export interface JournalDelivery {
  readonly id: number;
  readonly appId: string;
  /** The webhook's id, the bot's uid, or `custom` for a notification provider. */
  readonly webhook: string;
  readonly trigger: string;
  readonly body: unknown;
  /** `lost`: the last try failed, and there is none to come. */
  readonly state: "pending" | "delivered" | "lost";
  readonly tries: readonly DeliveryTry[];
}

/** One try of a delivery. */
export interface DeliveryTry {
  /** When it began, by the platform's clock. */
  readonly at: Date;
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  /** Why it failed. */
  readonly error: string | undefined;
}

/** Keeps a platform's journal. */
export function keepPlatformJournal({
  subscribe,
  deliveries,
}: Pick<CorePlatform, "subscribe" | "deliveries">): {
  readonly journal: PlatformJournal;
  /** Begins anew after a reset, when deliveries are counted from one again. */
  restart(): void;
  close(): void;
} {
  let requests: JournalRequest[] = [];
  let forgottenId = 0;
  const close = subscribe((record) => {
    if (record.type === "request") requests.push(toRequest(record));
  });
  const listed = () => deliveries().filter(({ id }) => id > forgottenId);
  return {
    journal: {
      requests: (where = {}) => {
        checkFieldNames("journal.requests", "where", requestFields, where);
        return requests.filter((request) => matches(request, where));
      },
      deliveries: (where = {}) => {
        checkFieldNames("journal.deliveries", "where", deliveryFields, where);
        return listed()
          .map(toDelivery)
          .filter((delivery) => matches(delivery, where));
      },
      clear() {
        requests = [];
        forgottenId = listed().at(-1)?.id ?? forgottenId;
      },
    },
    restart() {
      requests = [];
      forgottenId = 0;
    },
    close,
  };
}

const requestFields: readonly (keyof JournalRequest)[] = [
  ...(["appId", "operation", "method", "path", "onBehalfOf", "userAgent"] as const),
  ...(["body", "status", "code", "fault", "answer", "at"] as const),
];
const deliveryFields: readonly (keyof JournalDelivery)[] = [
  ...(["id", "appId", "webhook", "trigger", "body", "state", "tries"] as const),
];

function toRequest(record: Extract<PlatformRecord, { type: "request" }>): JournalRequest {
  const { appId, operationId: operation, method, path, onBehalfOf, userAgent, status, code, fault } = record;
  const { sent, answer } = record.exchange();
  return {
    ...{ appId, operation, method, path, onBehalfOf, userAgent },
    body: readText(new TextDecoder().decode(sent)),
    ...{ status, code, fault },
    answer: readText(answer),
    at: new Date(record.atMs),
  };
}

function toDelivery(report: ReturnType<CorePlatform["deliveries"]>[number]): JournalDelivery {
  const { id, appId, webhookId: webhook, trigger, body, state, attempts } = report;
  const tries = attempts.map(({ atMs, status, error }) => ({ at: new Date(atMs), status, error }));
  return { id, appId, webhook, trigger, body, state, tries };
}

function readText(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Every field that is asked for has to be there as it is asked for. */
function matches<T extends object>(item: T, where: Partial<T>): boolean {
  const has = new Map(Object.entries(item));
  return Object.entries(where).every(([field, value]) => Object.is(has.get(field), value));
}
