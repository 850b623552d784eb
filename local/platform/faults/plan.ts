import type { ErrorCode } from "../errors/error-table.ts";

/** What may go wrong with a request to the platform. `code` refuses it, with the code's usual status unless given. */
export type RequestFault = {
  /** The rule it comes from, for the records. */
  ruleId?: string;
  /** Waits on the platform's clock before the request is looked at. */
  delayMs?: number;
  code?: ErrorCode;
  status?: number;
  message?: string;
  retryAfterSeconds?: number;
  /**
   * Spoils the connection: `dropBefore` closes it without doing the request, `dropAfter` closes it when the request is
   * done, `hang` does the request and never answers, `truncate` announces the whole answer and sends half of it.
   */
  connection?: "dropBefore" | "dropAfter" | "hang" | "truncate";
};

/** What may go wrong with an event on its way out. */
export type DeliveryFault = {
  /** The rule it comes from, for the records. */
  ruleId?: string;
  /** Never sends it: the event is lost before the first attempt. */
  drop?: boolean;
  /** Sends it this many times in all (2 is one duplicate). */
  copies?: number;
  /** Waits before the first attempt, which also changes the order of events. */
  delayMs?: number;
  /** Lets the next event to the same webhook go first, but waits at most this long for it. */
  overtakenWithinMs?: number;
};

/** A request as rules see it. `path` is below the interface's base, without query. */
export type RequestFacts = {
  appId: string | undefined;
  operationId: string | undefined;
  method: string;
  path: string;
};

/** An event on its way to one webhook (or bot, or notification provider) as rules see it. */
export type DeliveryFacts = { appId: string; trigger: string; webhookId: string };

/** Decides which faults happen. Asked once per request and once per event and webhook. */
export type FaultPlan = {
  onRequest(request: RequestFacts): RequestFault | undefined;
  onDelivery(event: DeliveryFacts): DeliveryFault | undefined;
};
