import { traceIdOf } from "../../../lib/handle/traceparent.ts";
import type { Journey } from "./journey.ts";
import type { JourneyStore } from "./journey-store.ts";

/** Gives what every journey begins with. */
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

/** Files a journey under its fact and the digests of its body. */
export function addTo(store: JourneyStore, journey: Journey, bodies: readonly string[]): void {
  const { deliveryKey } = journey.facts;
  store.add(journey, { traceId: deliveryKey === undefined ? undefined : traceIdOf(deliveryKey), bodies });
}

/** Joins what a journey is found by. */
export function wordsOf(values: readonly unknown[]): string {
  return values
    .filter((value) => typeof value === "string")
    .map((value) => ` ${value.toLowerCase()}`)
    .join("");
}
