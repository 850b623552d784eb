import { readdirSync, readFileSync } from "node:fs";
import { isRecord } from "../../lib/base/json.ts";
import { identify } from "../../lib/events/identity.ts";

/** A delivery as the platform makes it, with users and values of our own. */
export interface SampleEvent {
  /** The file's name without the ending: `message-edited.live`. */
  readonly sample: string;
  /** The event's name. */
  readonly trigger: string;
  /** Its kind of delivery: each may have its own credentials. */
  readonly family: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const folder = new URL("samples/", import.meta.url);

/** Reads all samples; of several of one event, those printed in the documentation come first. */
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
