import type { ErrorCode } from "./errors/error-table.ts";

/** What may go wrong with a call to the platform. `code` refuses it, with the code's usual status unless given. */
export type RequestFault = {
  delayMs?: number;
  code?: ErrorCode;
  status?: number;
  message?: string;
  retryAfterSeconds?: number;
};

/** What may go wrong with an event on its way out. */
export type DeliveryFault = {
  /** Never sends it: the event is lost before the first attempt. */
  drop?: boolean;
  /** Sends it this many times in all (2 is one duplicate). */
  copies?: number;
  /** Waits before the first attempt, which also changes the order of events. */
  delayMs?: number;
};

/** Decides which faults happen. Asked once per call and once per event and webhook. */
export type FaultPlan = {
  onRequest(call: { operationId: string | undefined; method: string }): RequestFault | undefined;
  onDelivery(event: { appId: string; trigger: string; webhookId: string }): DeliveryFault | undefined;
};

/** Plans no fault at all. */
export const noFaults: FaultPlan = {
  onRequest: () => undefined,
  onDelivery: () => undefined,
};
