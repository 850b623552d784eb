import { createSignedReadSecret } from "../../lib/aws/secrets/read-secret-value.ts";
import { lazy, lazyByKey } from "../../lib/base/lazy.ts";
import { pause } from "../../lib/base/timers.ts";
import { createLeanFetch } from "../../lib/chat/lean-fetch.ts";
import { createGuardKeys, createLoopGuard } from "../../lib/events/marks/loop-guard.ts";
import { groupingMs } from "../../lib/operate/doctor/check-queues.ts";
import {
  type DoctorServices,
  managementSecretIdOf,
  openWebhookLists,
} from "../../lib/operate/doctor/doctor-services.ts";
import { type Remedies, remediesFor } from "../../lib/operate/doctor/remedies.ts";
import { groupByCause } from "../../lib/queue/cause-group.ts";
import { deadLetters } from "../../lib/queue/dead-letter.ts";
import type { WorkContext } from "../command.ts";
import { openOperator } from "../repair/open-operator.ts";
import { openStores } from "../see/open-app.ts";
import type { Stack, Target } from "../target/target.ts";
import { openScheduleCheck } from "./check-schedule.ts";
import { openRecentLogs } from "./recent-logs.ts";

export function typedTarget({ kind, stage, chosen }: Pick<Target, "kind" | "stage" | "chosen">): string {
  return [kind === "local" ? "--local" : `--stage ${stage}`, ...chosen].join(" ");
}

export function doctorServices(context: WorkContext, stack: Stack) {
  const { target, edges } = context;
  const { callAws } = target;
  const { now } = edges;
  const fetch = createLeanFetch(now);
  const secretPrefix = stack.output("SecretPrefix");
  const remedies = remediesOf(target);
  return {
    callAws,
    fetch,
    secretPrefix,
    queueUrls: {
      events: stack.physicalId("EventsQueue"),
      deadLetters: stack.physicalId("DeadLetterQueue"),
      quarantine: stack.physicalId("QuarantineQueue"),
    },
    lanes: openStores(target, stack, now).lanes,
    httpUrl: stack.output("HttpApiUrl"),
    chatBaseUrlTemplate: stack.output("ChatBaseUrlTemplate"),
    webhookLists: lazy(() =>
      openWebhookLists({
        callAws,
        fetch,
        managementSecretId: managementSecretIdOf(secretPrefix),
        baseUrl: stack.output("ChatManagementUrl"),
      }),
    ),
    groupDeadLetters: async () => {
      const signal = AbortSignal.any([edges.signal, AbortSignal.timeout(groupingMs)]);
      const limits = { most: mostDeadLetters, signal };
      const { found } = await deadLetters.list({}, await openOperator(context), limits);
      return groupByCause(found);
    },
    previousMs: Number(stack.outputs.PreviousCredentialsMinutes ?? 60) * 60_000,
    recentLogs: openRecentLogs(target, stack, edges),
    checkSchedule: openScheduleCheck({ target, ...edges, secretPrefix, remedies }),
    remedies,
    now,
    sleep: pause,
  } satisfies DoctorServices;
}

export function remediesOf(target: Target): Remedies {
  return remediesFor(typedTarget(target));
}

export const lookLimits = { atOnce: 20, limitMs: 20_000 };

const mostDeadLetters = 500;

export function openGuards({ callAws }: Target, stack: Stack, now: () => number) {
  const keys = createGuardKeys({
    readSecret: createSignedReadSecret(callAws, now),
    secretId: stack.physicalId("LoopGuardSecret"),
    now,
  });
  return lazyByKey((appId: string) => createLoopGuard(keys, appId));
}
