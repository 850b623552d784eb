import type { ServiceDefinition } from "../build/service-definition.ts";

/**
 * Says what of an edited serverless.yml a running world does not take up, each as a few words; empty if it takes up all.
 * Environment, timeouts, memory and routes of functions are taken up, and resources that there were not.
 */
export function whatNeedsRestart(before: ServiceDefinition, now: ServiceDefinition): readonly string[] {
  const keys = [...new Set([...Object.keys(before.functions), ...Object.keys(now.functions)])];
  const functions = keys.flatMap((key) => {
    const [old, edited] = [before.functions[key], now.functions[key]];
    if (edited === undefined) return [`the function ${key} is gone`];
    if (old === undefined) return [`the function ${key} is new`];
    if (old.handler !== edited.handler || old.name !== edited.name)
      return [`another handler or name of ${key}`];
    if (!isSame(old.durableConfig, edited.durableConfig)) return [`durableConfig of ${key}`];
    return isSame(fedBy(old.events), fedBy(edited.events)) ? [] : [`queues or schedules of ${key}`];
  });
  const resources = Object.entries(before.resources?.Resources ?? {}).flatMap(([id, old]) => {
    const edited = now.resources?.Resources?.[id];
    if (isSame(old, edited)) return [];
    return [edited === undefined ? `the resource ${id} is gone` : `the resource ${id}`];
  });
  return [...functions, ...resources];
}

function fedBy(events: readonly unknown[] = []): readonly unknown[] {
  return events.filter((event) => typeof event !== "object" || event === null || !("httpApi" in event));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
