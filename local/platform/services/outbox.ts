import type { JsonObject } from "../json.ts";
import type { App } from "../store/apps.ts";
import type { DeliveryTarget } from "../store/deliveries.ts";

/** Takes events in and carries them to the webhooks that subscribe to them. */
export type Outbox = {
  /**
   * Stores one delivery per webhook that the app's active engine has for the trigger, and starts sending. The legacy
   * engine gets its own form of the event, or nothing when it has none.
   */
  emit(app: App, trigger: string, data: JsonObject, options?: EmitOptions): void;
  /**
   * Stores and sends one delivery to an address that is no webhook: a bot's or a notification provider's. Gives its
   * id; undefined when a fault took it away.
   */
  deliver(app: App, delivery: DirectDelivery): number | undefined;
  /**
   * Stores and sends a delivery once more, as it was. Gives the new one's id; undefined where there is no such delivery, or a
   * fault took it away.
   */
  repeat(deliveryId: number): number | undefined;
  /** Takes up what the database says is pending, after a start or a restore. */
  resume(): void;
  /** Forgets all timers and waiting work, and ignores how attempts in flight end. What is stored stays pending. */
  pause(): void;
  /** Has a delivery's next attempt begin at once; false when it does not wait for its time. */
  hasten(deliveryId: number): boolean;
  /** Resolves when nothing is in flight or about to start; retries in the future do not count. */
  idle(): Promise<void>;
};

/** Rarely needed parts of an event: fields for the envelope's top level, and its form on the legacy engine. */
export type EmitOptions = { extra?: JsonObject; legacy?: LegacyEvent };

/** What goes to an address that is no webhook. */
export type DirectDelivery = { name: string; trigger: string; body: JsonObject; target: DeliveryTarget };

/**
 * One event of the legacy engine. `subscription` is the trigger it is subscribed by when that differs from the name it
 * carries; `origin` tells through which door the cause came in.
 */
export type LegacyEvent = {
  subscription?: string;
  trigger: string;
  data: JsonObject;
  origin: "API" | "WEBSOCKET";
};
