import type { Settings } from "../../chat/settings-from.ts";
import type { EventName } from "../../events/app-event.ts";
import type { DerivedTrigger } from "../../events/call-event.ts";
import { catalogue } from "../../events/catalogue.ts";
import type { TriggerName } from "../../events/chat-event.ts";
import type { FlowTable } from "../../flows/define-flow.ts";
import { canaryUsersOf } from "../../handle/canary/canary.ts";
import type { CanarySettings } from "../../handle/canary/canary-settings.ts";
import type { EnabledTriggers } from "../../handle/enabled-triggers.ts";
import type { TriggerTable } from "../../handle/on-trigger.ts";
import type { DeployedFacts } from "./deployed-facts.ts";

/** The events that each summary needs. With fewer of them it works, with less content (docs/triggers.md). */
export const reportingTriggers: Readonly<Record<DerivedTrigger, readonly TriggerName[]>> = {
  call_missed: ["call_unanswered", "call_cancelled", "call_busy"],
  call_summary: [
    "call_initiated",
    "call_started",
    "call_participant_joined",
    "call_participant_left",
    "call_ended",
    "meeting_started",
    "meeting_participant_joined",
    "meeting_participant_left",
    "meeting_ended",
  ],
};

interface NeedsSources {
  readonly triggers: TriggerTable;
  /** All flows: it is unknown which trigger starts which. */
  readonly flows: FlowTable;
  /** Needs of other features by name: `reconcile`, `canary`. */
  readonly others?: Readonly<Record<string, readonly TriggerName[]>>;
}

/** Counts derived events as their sources. Sends no request. */
export function neededTriggers(appId: string, { triggers, flows, others = {} }: NeedsSources) {
  const asked: (readonly [who: string, names: readonly EventName[]])[] = [
    ...Object.entries(triggers).map(([who, { names, namesOf }]) => [who, namesOf?.(appId) ?? names] as const),
    ...flows.map(({ name, waitsFor }) => [`flow ${name}`, waitsFor] as const),
    ...Object.entries(others),
  ];
  const needs = asked.flatMap(([who, names]) =>
    names.flatMap((name) => (name === "*" ? [] : triggersOf(name).map((trigger) => ({ trigger, who })))),
  );
  /** @see docs/internals/platform/webhooks.md#families-of-calls */
  const isByWebhook = ({ trigger }: Need) => catalogue[trigger].families.includes("webhook");
  return {
    webhook: byTrigger(needs.filter(isByWebhook)),
    /** Delivered by providers, bots or the legacy engine, not by webhooks of the current engine. */
    elsewhere: byTrigger(needs.filter((need) => !isByWebhook(need))),
    everything: sorted(asked.flatMap(([who, names]) => (names.includes("*") ? [who] : []))),
  };
}

function triggersOf(name: Exclude<EventName, "*">) {
  return name === "call_missed" || name === "call_summary" ? reportingTriggers[name] : [name];
}

interface Need {
  readonly trigger: TriggerName;
  readonly who: string;
}

function byTrigger(needs: readonly Need[]) {
  const all = [...Map.groupBy(needs, ({ trigger }) => trigger)].toSorted();
  return Object.fromEntries(all.map(([trigger, some]) => [trigger, sorted(some.map(({ who }) => who))]));
}

function sorted(names: readonly string[]) {
  return [...new Set(names)].toSorted();
}

interface Deployed {
  readonly appIds: readonly string[];
  readonly enabled: EnabledTriggers;
  readonly flows: FlowTable;
  readonly canary: Settings<CanarySettings>;
  /** Whether missing messages are counted or handed over. */
  readonly isReconciled: boolean;
}

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
