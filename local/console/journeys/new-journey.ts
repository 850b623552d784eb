import { traceIdOf } from "../../../lib/handle/traceparent.ts";
import type { Journey } from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";

export function newJourney(
  store: JourneyStore,
  id: string,
  atMs: number,
): Omit<Journey, "origin" | "facts" | "body" | "state" | "words"> {
  return {
    ...{ id, atMs, number: store.nextNumber(), causeRequestId: undefined, isOld: false },
    ...{ tries: [], nextTryMs: undefined, receptions: [], messageIds: new Set(), quarantined: undefined },
  };
}

/** Adds a journey to the indexes of its event and its bodies' digests. */
export function addTo(store: JourneyStore, journey: Journey, bodies: readonly string[]): void {
  const { deliveryKey } = journey.facts;
  store.add(journey, { traceId: deliveryKey === undefined ? undefined : traceIdOf(deliveryKey), bodies });
}

export function wordsOf(values: readonly unknown[]): string {
  return values
    .filter((value) => typeof value === "string")
    .map((value) => ` ${value.toLowerCase()}`)
    .join("");
}
