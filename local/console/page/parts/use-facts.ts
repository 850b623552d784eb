import type { WorldFacts } from "../../api/world.ts";
import { useResource } from "./use-resource.ts";

/** Asks which apps the world has, and where it is reached. */
export function useFacts(): WorldFacts | undefined {
  return useResource<WorldFacts>("/api/facts", ["world"]).value;
}
