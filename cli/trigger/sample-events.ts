import { readdirSync, readFileSync } from "node:fs";
import { isRecord } from "../../lib/base/json.ts";
import { identify } from "../../lib/events/identity.ts";

/** A delivery as the platform makes it, with people and values of our own. */
export interface SampleEvent {
  /** As its file is called, without the ending: `message-edited.live`. */
  readonly sample: string;
  /** The event's name. */
  readonly trigger: string;
  /** Which kind of deliveries it is: each may have credentials of its own. */
  readonly family: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const folder = new URL("samples/", import.meta.url);

/** Reads all samples, those that the documentation prints first where there are several of one event. */
export function readSampleEvents(): readonly SampleEvent[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.slice(0, -".json".length))
    .toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1))
    .flatMap((sample) => {
      const body: unknown = JSON.parse(readFileSync(new URL(`${sample}.json`, folder), "utf8"));
      const identity = identify(body);
      if (identity === undefined || !isRecord(body)) return [];
      return [{ sample, trigger: identity.trigger, family: identity.family, body }];
    });
}
