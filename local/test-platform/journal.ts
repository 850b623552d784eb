import type { CorePlatform } from "../platform/assemble-platform.ts";
import type { PlatformRecord } from "../platform/services/records.ts";
import { checkFieldNames } from "./check-given.ts";

/** Requests and deliveries since the start, `reset` or `clear`. After `close`, `deliveries` throws. */
export interface PlatformJournal {
  /**
   * Returns the matching requests, answered or left unanswered on purpose, in the order of their ends.
   * @throws InvalidInputError for an unknown field
   */
  requests(where?: Partial<JournalRequest>): readonly JournalRequest[];
  /** Returns the matching deliveries, in the order of their events. */
  deliveries(where?: Partial<JournalDelivery>): readonly JournalDelivery[];
  /** Deletes its entries. */
  clear(): void;
}

/** A request to the platform. */
export interface JournalRequest {
  /** Undefined if the address names none. */
  readonly appId: string | undefined;
  /** The id in the platform's reference, such as `send-message`; undefined if unknown. */
  readonly operation: string | undefined;
  readonly method: string;
  /** As sent, with the query: `/local-app.api-us/v3/messages?limit=2`. */
  readonly path: string;
  readonly onBehalfOf: string | undefined;
  readonly userAgent: string | undefined;
  /** Parsed if it is JSON; undefined if missing or not read. */
  readonly body: unknown;
  /** Set even if a fault suppressed the answer; 0 if it was never processed. */
  readonly status: number;
  /** Of a refusal, such as `ERR_UID_NOT_FOUND`. */
  readonly code: string | undefined;
  /** The fault that struck. */
  readonly fault: string | undefined;
  /** Parsed if it is JSON. */
  readonly answer: unknown;
  /** When it was answered, by the platform's clock. */
  readonly at: Date;
}

/** The delivery of an event to one webhook, bot or notification provider. */
export interface JournalDelivery {
  readonly id: number;
  readonly appId: string;
  /** The webhook's id, the bot's uid, or `custom` for a notification provider. */
  readonly webhook: string;
  readonly trigger: string;
  readonly body: unknown;
  /** `lost`: the last try failed, and no retry follows. */
  readonly state: "pending" | "delivered" | "lost";
  readonly tries: readonly DeliveryTry[];
}

/** One try of a delivery. */
export interface DeliveryTry {
  /** When it began, by the platform's clock. */
  readonly at: Date;
  /** Undefined without an answer. */
  readonly status: number | undefined;
  /** Why it failed. */
  readonly error: string | undefined;
}

export function keepPlatformJournal({
  subscribe,
  deliveries,
}: Pick<CorePlatform, "subscribe" | "deliveries">): {
  readonly journal: PlatformJournal;
  /** Restarts after a reset, when deliveries are counted from one again. */
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
    appId,
    operation,
    method,
    path,
    onBehalfOf,
    userAgent,
    body: readText(new TextDecoder().decode(sent)),
    status,
    code,
    fault,
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

/** Every queried field must exist. */
function matches<T extends object>(item: T, where: Partial<T>) {
  const has = new Map(Object.entries(item));
  return Object.entries(where).every(([field, value]) => Object.is(has.get(field), value));
}
