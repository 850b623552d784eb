import { useMemo } from "preact/hooks";
import type { TroubleCounts } from "../../api/world.ts";
import { useResource } from "./use-resource.ts";

/** By the name of the view that shows them. */
export function useTroubles(): ReadonlyMap<string, number> {
  const { value } = useResource<TroubleCounts>("/api/troubles", ["journeys", "queues", "flows"]);
  return useMemo(() => new Map(Object.entries(value ?? {})), [value]);
}
