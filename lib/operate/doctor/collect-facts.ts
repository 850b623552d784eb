import type { Settings } from "../../chat/settings-from.ts";
import type { FlowTable } from "../../flows/define-flow.ts";
import { type CanarySettings, canaryUsersOf } from "../../handle/canary/canary-settings.ts";
import type { EnabledTriggers } from "../../handle/enabled-triggers.ts";
import type { DeployedFacts } from "./deployed-facts.ts";
import { neededTriggers } from "./needed-triggers.ts";

export interface Deployed {
  readonly appIds: readonly string[];
  readonly enabled: EnabledTriggers;
  readonly flows: FlowTable;
  readonly canary: Settings<CanarySettings>;
  /** Missing messages are counted or handed over. */
  readonly isReconciled: boolean;
}

/** Sends no request. */
export function collectFacts({ appIds, enabled, flows, canary, isReconciled }: Deployed): DeployedFacts {
  const canaries = appIds.flatMap((appId) => {
    const users = canaryUsersOf(canary.of(appId));
    return users === undefined ? [] : [{ appId, ...users }];
  });
  const needs = appIds.map((appId) => {
    const hasCanary = canaries.some((one) => one.appId === appId);
    const needed = neededTriggers(appId, {
      triggers: enabled.table,
      flows,
      others: {
        ...(isReconciled && { reconcile: ["message_sent"] }),
        ...(hasCanary && { canary: ["message_sent"] }),
      },
    });
    return { appId, needed };
  });
  return {
    appIds: [...appIds],
    triggers: Object.keys(enabled.table).map((name) => ({ name, isShadowed: enabled.shadowed.has(name) })),
    flows: flows.map(({ name }) => name),
    needs: [...Map.groupBy(needs, ({ needed }) => JSON.stringify(needed)).values()].flatMap((alike) => {
      const [first] = alike;
      if (first === undefined) return [];
      return [{ appIds: alike.map(({ appId }) => appId), ...first.needed }];
    }),
    canaries,
  };
}
