import { isDeepStrictEqual } from "node:util";
import type { ServiceDefinition } from "../build/service-definition.ts";

/** Environments, timeouts, memory, routes, limits and new resources need no restart. */
export function listRestartReasons(before: ServiceDefinition, now: ServiceDefinition): readonly string[] {
  const keys = [...new Set([...Object.keys(before.functions), ...Object.keys(now.functions)])];
  const functions = keys.flatMap((key) => {
    const [old, edited] = [before.functions[key], now.functions[key]];
    if (edited === undefined) return [`the removal of the function ${key}`];
    if (old === undefined) return [`the new function ${key}`];
    if (old.handler !== edited.handler || old.name !== edited.name)
      return [`another handler or name of ${key}`];
    for (const name of ["durableConfig", "url"] as const)
      if (!isDeepStrictEqual(old[name], edited[name])) return [`${name} of ${key}`];
    return isDeepStrictEqual(eventSourcesOf(old.events), eventSourcesOf(edited.events))
      ? []
      : [`queues or schedules of ${key}`];
  });
  const resources = Object.entries(before.resources?.Resources ?? {}).flatMap(([id, old]) => {
    const edited = now.resources?.Resources?.[id];
    if (isDeepStrictEqual(old, edited) || old.Type.startsWith("AWS::CloudWatch::")) return [];
    return [edited === undefined ? `the removal of the resource ${id}` : `the resource ${id}`];
  });
  const [outputs, edited] = [before.resources?.Outputs, now.resources?.Outputs];
  return [...functions, ...resources, ...(isDeepStrictEqual(outputs, edited) ? [] : ["the outputs"])];
}

function eventSourcesOf(events: readonly unknown[] = []): readonly unknown[] {
  return events.filter((event) => typeof event !== "object" || event === null || !("httpApi" in event));
}
