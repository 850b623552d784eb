/** Files that are judged together, and the unit tests that must notice. */
export interface MutationGroup {
  readonly files: readonly string[];
  /** Patterns of test files: few and quick ones, since each mutant runs all that reach it. */
  readonly tests: readonly string[];
}

/** The files whose tests are judged by mutants, by purpose. Each group keeps its own score. */
export const mutationGroups = {
  authentication: {
    files: ["lib/base/http/basic-auth.ts"],
    tests: ["test/unit/base/http/*.test.ts"],
  },
  verification: {
    files: ["lib/receive/verify-sender.ts"],
    tests: ["test/unit/receive/*.test.ts"],
  },
  signing: {
    files: ["lib/aws/aws-call.ts", "lib/aws/sign-aws-request.ts", "lib/base/digest.ts"],
    tests: ["test/unit/aws/*.test.ts", "test/unit/receive/*.test.ts"],
  },
  secrets: {
    files: [
      "lib/chat/app-credentials.ts",
      "lib/aws/secrets/parse-secret.ts",
      "lib/aws/secrets/read-secret-value.ts",
      "lib/aws/secrets/secret-reader.ts",
      "lib/receive/webhook-credentials.ts",
      "lib/base/secret-ages.ts",
      "lib/base/cached.ts",
    ],
    tests: [
      "test/unit/aws/secrets/*.test.ts",
      "test/unit/base/cached.test.ts",
      "test/unit/receive/*.test.ts",
    ],
  },
  identity: {
    files: [
      "lib/events/identity.ts",
      "lib/events/identity-rules.ts",
      "lib/events/occurrence-content.ts",
      "lib/events/occurrence.ts",
      "lib/events/canonical-text.ts",
    ],
    tests: [
      "test/unit/events/identity*.test.ts",
      "test/unit/events/canonical-text.test.ts",
      "test/unit/events/occurrence.test.ts",
    ],
  },
  "event queue": {
    files: [
      "lib/queue/send-dead-letter.ts",
      "lib/queue/cause-group.ts",
      "lib/queue/cause-name.ts",
      "lib/queue/enqueue.ts",
      "lib/queue/read-queued-event.ts",
      "lib/queue/queued-event.ts",
      "lib/queue/send-message.ts",
      "lib/queue/quarantine.ts",
    ],
    tests: [
      "test/unit/queue/cause-group.test.ts",
      "test/unit/queue/message-*.test.ts",
      "test/unit/queue/quarantined-deliveries.test.ts",
      "test/unit/queue/queued-event.test.ts",
      "test/unit/queue/send-messages.test.ts",
    ],
  },
  replays: {
    files: [
      "lib/queue/dead-letter.ts",
      "lib/queue/held-queue.ts",
      "lib/queue/operator-services.ts",
      "lib/queue/quarantined-delivery.ts",
      "lib/queue/set-aside-queue.ts",
      "lib/queue/set-aside.ts",
      "lib/queue/wait-for-others.ts",
      "lib/queue/work-off.ts",
    ],
    // Not replay-interrupted.test.ts, which takes seconds for each mutant.
    tests: [
      "test/unit/queue/dead-letters.test.ts",
      "test/unit/queue/drop-set-aside.test.ts",
      "test/unit/queue/held-queue.test.ts",
      "test/unit/queue/quarantined-deliveries.test.ts",
      "test/unit/queue/replay-rounds.test.ts",
      "test/unit/queue/set-aside.test.ts",
    ],
  },
  lanes: {
    files: [
      "lib/queue/lanes/batch-requests.ts",
      "lib/queue/lanes/consume-batch.ts",
      "lib/queue/lanes/consume-tickets.ts",
      "lib/queue/lanes/dead-letter-event.ts",
      "lib/queue/lanes/lane-record.ts",
      "lib/queue/lanes/lane-store.ts",
      "lib/queue/lanes/outage-room.ts",
      "lib/queue/lanes/lane-events.ts",
      "lib/queue/lanes/park-lane.ts",
      "lib/queue/lanes/progress.ts",
      "lib/queue/lanes/resume-lane.ts",
      "lib/queue/lanes/run-lane.ts",
      "lib/queue/lanes/trigger-lanes.ts",
      "lib/queue/lanes/ticket.ts",
      "lib/queue/lanes/retry-delay.ts",
      "lib/queue/lanes/wake-waiters.ts",
    ],
    tests: ["test/unit/queue/lanes/*.test.ts"],
  },
  health: {
    files: [
      "lib/effects/health/app-health.ts",
      "lib/effects/health/breaker.ts",
      "lib/effects/health/destinations.ts",
      "lib/effects/health/health-store.ts",
    ],
    tests: ["test/unit/effects/health/*.test.ts", "test/unit/effects/classify-failure.test.ts"],
  },
  effects: {
    files: [
      "lib/events/marks/automatic.ts",
      "lib/effects/effect-errors.ts",
      "lib/effects/ledger.ts",
      "lib/effects/effects.ts",
      "lib/effects/perform.ts",
      "lib/effects/recent-answers.ts",
      "lib/events/marks/loop-guard.ts",
      "lib/effects/messages/sending.ts",
      "lib/effects/messages/send-text.ts",
      "lib/effects/watch-effects.ts",
    ],
    // Not makers.test.ts, which plays every fate over every effect.
    tests: [
      "test/unit/effects/recent-answers.test.ts",
      "test/unit/effects/claim-mark.test.ts",
      "test/unit/effects/classify-failure.test.ts",
      "test/unit/effects/effect-errors.test.ts",
      "test/unit/effects/effects.test.ts",
      "test/unit/effects/interleavings.test.ts",
      "test/unit/effects/ledger.test.ts",
      "test/unit/effects/occurrence-memory.test.ts",
      "test/unit/effects/plan-look.test.ts",
      "test/unit/effects/text-message.test.ts",
      "test/unit/effects/watch-effects.test.ts",
      "test/unit/events/marks/*.test.ts",
      "test/unit/kit/wrong-effects.test.ts",
    ],
  },
  calls: {
    files: [
      "lib/chat/check-call.ts",
      "lib/chat/check-plain.ts",
      "lib/chat/given-parts.ts",
      "lib/events/checked-parse.ts",
      "lib/flows/check-flow.ts",
      "lib/base/unless-aborted.ts",
    ],
    // Not wrong-calls.test.ts, which takes seconds for each mutant.
    tests: [
      "test/unit/chat/check-*.test.ts",
      "test/unit/chat/given-parts.test.ts",
      "test/unit/events/checked-parse.test.ts",
      "test/unit/flows/define-flow.test.ts",
      "test/unit/base/batching.test.ts",
    ],
  },
  choosing: {
    files: [
      "lib/events/conditions/where.ts",
      "lib/events/conditions/patterns.ts",
      "lib/events/conditions/seen.ts",
    ],
    tests: ["test/unit/handle/o*.test.ts", "test/unit/events/conditions/*.test.ts"],
  },
  state: {
    files: ["lib/effects/state/create-states.ts", "lib/effects/state/define-state.ts"],
    tests: ["test/unit/effects/state/*.test.ts"],
  },
  "other hosts": {
    files: [
      "lib/effects/http/allowed-hosts.ts",
      "lib/effects/http/send-outside.ts",
      "lib/base/http/read-bytes.ts",
      "lib/effects/http/prepare-outside-request.ts",
      "lib/effects/http/public-address.ts",
      "lib/effects/http/request.ts",
    ],
    tests: [
      "test/unit/effects/http/places.test.ts",
      "test/unit/effects/http/public-address.test.ts",
      "test/unit/effects/http/read-target.test.ts",
      "test/unit/effects/http/request.test.ts",
      "test/unit/effects/http/send-outside.test.ts",
    ],
  },
  login: {
    files: [
      "lib/endpoints/login/log-in.ts",
      "lib/endpoints/login/read-claims.ts",
      "lib/endpoints/own/cors.ts",
      "lib/endpoints/own/jwt/token-form.ts",
      "lib/endpoints/own/jwt.ts",
    ],
    tests: ["test/unit/endpoints/login/*.test.ts", "test/unit/endpoints/own/on-request.test.ts"],
  },
  triggers: {
    files: [
      "lib/handle/step-progress.ts",
      "lib/handle/attempt-event.ts",
      "lib/handle/attempt-run.ts",
      "lib/handle/run-triggers.ts",
      "lib/handle/wake-waiting-flows.ts",
      "lib/handle/hang-memory.ts",
      "lib/effects/attempt-limits.ts",
      "lib/handle/move-to-trigger-lanes.ts",
      "lib/effects/classify-failure.ts",
      "lib/handle/enabled-triggers.ts",
      "lib/handle/on-trigger.ts",
      "lib/handle/read-events.ts",
    ],
    tests: [
      "test/unit/effects/classify-failure.test.ts",
      "test/unit/effects/shadow/shadow-mode.test.ts",
      "test/unit/handle/*.test.ts",
    ],
  },
  retries: {
    files: ["lib/chat/fetch-once.ts", "lib/chat/retry.ts", "lib/chat/send-request.ts"],
    tests: ["test/unit/chat/*.test.ts"],
  },
  table: {
    files: ["lib/aws/table.ts", "lib/aws/create-table.ts"],
    tests: ["test/unit/aws/*table*.test.ts", "test/unit/aws/attribute-values.test.ts"],
  },
  reader: {
    files: [
      "lib/events/parse-event.ts",
      "lib/events/problems.ts",
      "lib/events/scalars.ts",
      "lib/events/without-nulls.ts",
    ],
    tests: [
      "test/unit/events/oddities.test.ts",
      "test/unit/events/odd-forms.long.test.ts",
      "test/unit/events/parse-event.test.ts",
      "test/unit/events/read-moment.test.ts",
      "test/unit/events/scalars.test.ts",
      "test/unit/events/without-nulls.test.ts",
      "test/unit/events/canonical-text.test.ts",
    ],
  },
  reconcile: {
    files: [
      "lib/handle/count-received.ts",
      "lib/operate/reconcile/list-messages.ts",
      "lib/operate/reconcile/plan-run.ts",
      "lib/operate/reconcile/reconcile-app.ts",
      "lib/operate/reconcile/reconcile-apps.ts",
      "lib/operate/reconcile/reconcile-request.ts",
      "lib/queue/enqueue-many.ts",
    ],
    tests: [
      "test/unit/operate/reconcile/*.test.ts",
      "test/unit/handle/count-received.test.ts",
      "test/unit/handle/event-notices.test.ts",
    ],
  },
  questions: {
    files: [
      "lib/endpoints/questions/answer-question.ts",
      "lib/endpoints/questions/own-decide.ts",
      "lib/endpoints/questions/read-answer.ts",
      "lib/base/time-limit.ts",
      "lib/base/compile-pattern.ts",
    ],
    tests: [
      "test/unit/base/compile-pattern.test.ts",
      "test/unit/endpoints/questions/*.test.ts",
      "test/unit/endpoints/moderation-lists/*.test.ts",
    ],
  },
  log: {
    files: [
      "lib/base/errors.ts",
      "lib/base/count-metric.ts",
      "lib/base/describe-error.ts",
      "lib/base/log.ts",
      "lib/base/known-secrets.ts",
      "lib/base/log-value.ts",
    ],
    tests: [
      "test/unit/base/causes.test.ts",
      "test/unit/base/describe-error.test.ts",
      "test/unit/base/known-secrets.test.ts",
      "test/unit/base/log-value.test.ts",
      "test/unit/base/log.test.ts",
      "test/unit/base/process-log.test.ts",
      "test/unit/base/realm.test.ts",
    ],
  },
  "phone calls": {
    files: ["lib/handle/phone-calls/summarise-call.ts"],
    tests: ["test/unit/handle/phone-calls/*.test.ts"],
  },
  "app as code": {
    files: [
      "lib/operate/app-as-code/apply-plan.ts",
      "lib/operate/app-as-code/plan-app.ts",
      "lib/operate/app-as-code/plan-resource.ts",
      "lib/operate/app-as-code/resource-kind.ts",
    ],
    tests: [
      "test/unit/operate/app-as-code/{agents-guards,agents-in-parts,apply-plan,missing-secrets,odd-answers,plan-*,refused-feature,resource-kind}.test.ts",
    ],
  },
  "kept events": {
    files: ["lib/flows/flow-marks.ts", "lib/flows/wait-keys.ts", "lib/flows/wait-memory.ts"],
    tests: [
      "test/unit/flows/flow-marks.test.ts",
      "test/unit/flows/open-waits.test.ts",
      "test/unit/flows/wait-keys.test.ts",
      "test/unit/flows/wait-memory.test.ts",
    ],
  },
  "flow steps": {
    files: [
      "lib/flows/flow.ts",
      "lib/flows/flow-step.ts",
      "lib/flows/stored-error.ts",
      "lib/flows/way-gate.ts",
    ],
    tests: [
      "test/unit/flows/define-flow.test.ts",
      "test/unit/flows/do-step.test.ts",
      "test/unit/flows/flow-step.test.ts",
    ],
  },
  "durable executions": {
    files: [
      "local/cloud/durable/apply-updates.ts",
      "local/cloud/durable/execution-register.ts",
      "local/cloud/durable/invocations.ts",
      "local/cloud/durable/pass-time.ts",
      "local/cloud/durable/record-event.ts",
    ],
    tests: [
      "test/cloud/durable-callbacks.test.ts",
      "test/cloud/durable-reports.test.ts",
      "test/cloud/durable-rules.test.ts",
    ],
  },
  pauses: {
    files: ["lib/queue/pauses/pause-store.ts"],
    tests: ["test/unit/queue/pauses/*.test.ts", "test/unit/queue/lanes/wake-after-pause.test.ts"],
  },
  versions: {
    files: ["build/version-range.ts"],
    tests: ["test/unit/version-range.test.ts"],
  },
  doctor: {
    files: [
      "lib/operate/doctor/check-queues.ts",
      "lib/operate/doctor/needed-triggers.ts",
      "lib/operate/doctor/run-checks.ts",
    ],
    tests: ["test/unit/operate/doctor/{check-queues,check-waiting,needed-triggers,run-checks}.test.ts"],
  },
  rotation: {
    files: [
      "lib/operate/rotation/next-step.ts",
      "lib/operate/rotation/rotated-credentials.ts",
      "lib/operate/rotation/run-rotation.ts",
    ],
    // Not the long ones, which take seconds for each mutant.
    tests: [
      "test/unit/operate/rotation/{given-keys,next-step,rotation-progress,run-rotation,stale-reads}.test.ts",
    ],
  },
  rollback: {
    files: ["cli/deploy/choose-deployment.ts"],
    tests: ["test/unit/cli/choose-deployment.test.ts"],
  },
} as const satisfies Readonly<Record<string, MutationGroup>>;
