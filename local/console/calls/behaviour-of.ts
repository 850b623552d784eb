import { assumptionsOf } from "../../platform/http/shape.ts";
import { appRoutes, managementRoutes } from "../../platform/routes.ts";
import type { Behaviour } from "../api/calls.ts";

/** How certain it is; undefined if nothing is recorded. */
export function behaviourOf(surface: string, operation: string | undefined): Behaviour | undefined {
  const route =
    surface === "management"
      ? managementRoutes.find(({ operationId }) => operationId === operation)
      : appRoutes.find((one) => one.operationId === operation && (one.surface ?? "chat") === surface);
  if (route === undefined) return undefined;
  return {
    level: route.fidelity,
    source: route.source,
    notes: [...route.assumptions, ...assumptionsOf(route)],
  };
}
