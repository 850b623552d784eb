import { readdirSync, readFileSync } from "node:fs";
import { isRecord } from "../../lib/base/json.ts";
import { identify } from "../../lib/events/identity.ts";

/** With users and values of our own. */
export interface SampleEvent {
  /** File name without its ending: `message-edited.live`. */
  readonly sample: string;
  readonly trigger: string;
  /** Each kind of delivery may have its own credentials. */
  readonly family: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const folder = new URL("samples/", import.meta.url);

/** Of several of one event, those of the documentation come first. */
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
