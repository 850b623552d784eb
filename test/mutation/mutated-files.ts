/** Files that are judged together, and the unit tests that must notice. */
export interface MutationGroup {
  readonly files: readonly string[];
  /** Patterns of test files: few and quick ones, since each mutant runs all that reach it. */
  readonly tests: readonly string[];
}

/** The files whose tests are judged by mutants, by what they are for. Each group keeps its score by itself. */
export const mutationGroups = {
  authentication: {
    files: ["lib/http/basic-auth.ts"],
    tests: ["test/unit/http/*.test.ts"],
  },
  verification: {
    files: ["lib/webhook/verify-sender.ts"],
    tests: ["test/unit/webhook/*.test.ts"],
  },
  signing: {
    files: ["lib/aws/aws-call.ts", "lib/aws/sign-aws-request.ts", "lib/digest.ts"],
    tests: ["test/unit/aws/*.test.ts", "test/unit/webhook/*.test.ts"],
  },
  secrets: {
    files: [
      "lib/secrets/app-credentials.ts",
      "lib/secrets/parse-secret.ts",
      "lib/secrets/read-secret-value.ts",
      "lib/secrets/secret-id.ts",
      "lib/secrets/secret-reader.ts",
      "lib/secrets/webhook-credentials.ts",
      "lib/secrets/secret-ages.ts",
      "lib/cached.ts",
    ],
    tests: ["test/unit/secrets/*.test.ts", "test/unit/*cached.test.ts", "test/unit/webhook/*.test.ts"],
  },
  identity: {
    files: [
      "lib/events/identity.ts",
      "lib/events/identity-rules.ts",
      "lib/events/fact-content.ts",
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
      "lib/event-queue/bury.ts",
      "lib/event-queue/cause-group.ts",
      "lib/event-queue/cause-name.ts",
      "lib/event-queue/enqueue.ts",
      "lib/event-queue/message-facts.ts",
      "lib/event-queue/message-text.ts",
      "lib/event-queue/quarantine.ts",
      "lib/event-queue/queued-event.ts",
      "lib/event-queue/read-queued-event.ts",
    ],
    tests: [
      "test/unit/event-queue/cause-group.test.ts",
      "test/unit/event-queue/message-*.test.ts",
      "test/unit/event-queue/queued-event.test.ts",
      "test/unit/event-queue/send-messages.test.ts",
    ],
  },
  replays: {
    files: [
      "lib/event-queue/dead-letter.ts",
      "lib/event-queue/dead-letters.ts",
      "lib/event-queue/held-queue.ts",
      "lib/event-queue/look-through.ts",
      "lib/event-queue/operator-services.ts",
      "lib/event-queue/quarantined-deliveries.ts",
      "lib/event-queue/quarantined-delivery.ts",
      "lib/event-queue/replay-report.ts",
      "lib/event-queue/replay-set-aside.ts",
      "lib/event-queue/set-aside.ts",
      "lib/event-queue/wait-for-others.ts",
    ],
    // Not replay-interrupted.test.ts, which takes seconds for each mutant.
    tests: [
      "test/unit/event-queue/dead-letters.test.ts",
      "test/unit/event-queue/held-queue.test.ts",
      "test/unit/event-queue/quarantined-deliveries.test.ts",
      "test/unit/event-queue/replay-rounds.test.ts",
      "test/unit/event-queue/set-aside.test.ts",
    ],
  },
  lanes: {
    files: [
      "lib/lanes/ask-in-batches.ts",
      "lib/lanes/bury-event.ts",
      "lib/lanes/consume-batch.ts",
      "lib/lanes/hand-back.ts",
      "lib/lanes/lane-record.ts",
      "lib/lanes/lane-store.ts",
      "lib/lanes/outage-room.ts",
      "lib/lanes/pack-event.ts",
      "lib/lanes/park-lane.ts",
      "lib/lanes/progress.ts",
      "lib/lanes/resume-lane.ts",
      "lib/lanes/run-lane.ts",
      "lib/lanes/side-lane.ts",
      "lib/lanes/ticket.ts",
      "lib/lanes/trigger-memory.ts",
      "lib/lanes/retry-delay.ts",
      "lib/lanes/wake-guests.ts",
      "lib/lanes/watch-outage.ts",
    ],
    tests: ["test/unit/lanes/*.test.ts"],
  },
  health: {
    files: [
      "lib/health/app-health.ts",
      "lib/health/breaker.ts",
      "lib/health/burials.ts",
      "lib/health/destination.ts",
      "lib/health/health-store.ts",
      "lib/health/parked-marks.ts",
    ],
    tests: ["test/unit/health/*.test.ts", "test/unit/triggers/classify-failure.test.ts"],
  },
  effects: {
    files: [
      "lib/effects/automatic.ts",
      "lib/effects/effect-errors.ts",
      "lib/effects/effect-key.ts",
      "lib/effects/effects.ts",
      "lib/effects/ledger-entry.ts",
      "lib/effects/ledger.ts",
      "lib/effects/occurrence-memory.ts",
      "lib/effects/plan-look.ts",
      "lib/effects/answer-book.ts",
      "lib/effects/guard-keys.ts",
      "lib/effects/loop-guard.ts",
      "lib/effects/send-text.ts",
      "lib/effects/text-message.ts",
      "lib/effects/watch-effects.ts",
      "lib/effects/answer-text.ts",
      "lib/effects/calling-effect.ts",
      "lib/effects/perform.ts",
    ],
    // Not makers.test.ts, which plays every fate over every effect.
    tests: [
      "test/unit/effects/a*.test.ts",
      "test/unit/effects/effect*.test.ts",
      "test/unit/effects/interleavings.test.ts",
      "test/unit/effects/l*.test.ts",
      "test/unit/effects/o*.test.ts",
      "test/unit/effects/plan-look.test.ts",
      "test/unit/effects/text-message.test.ts",
      "test/unit/effects/watch-effects.test.ts",
      "test/unit/kit/wrong-effects.test.ts",
    ],
  },
  calls: {
    files: [
      "lib/chat/check-call.ts",
      "lib/chat/check-option-names.ts",
      "lib/chat/check-plain.ts",
      "lib/chat/given-parts.ts",
      "lib/chat/quietly.ts",
      "lib/events/for-others.ts",
      "lib/flows/check-flow-calls.ts",
      "lib/triggers/check-trigger.ts",
      "lib/unless-aborted.ts",
    ],
    // Not wrong-calls.test.ts, which takes seconds for each mutant.
    tests: [
      "test/unit/chat/check-*.test.ts",
      "test/unit/chat/given-parts.test.ts",
      "test/unit/events/for-others.test.ts",
      "test/unit/flows/check-flow-calls.test.ts",
      "test/unit/triggers/check-trigger.test.ts",
      "test/unit/unless-aborted.test.ts",
    ],
  },
  choosing: {
    files: [
      "lib/triggers/one-of.ts",
      "lib/triggers/patterns.ts",
      "lib/triggers/seen.ts",
      "lib/triggers/where.ts",
    ],
    tests: ["test/unit/triggers/o*.test.ts", "test/unit/triggers/where.test.ts"],
  },
  state: {
    files: ["lib/state/create-states.ts", "lib/state/define-state.ts", "lib/state/state-item.ts"],
    tests: ["test/unit/state/*.test.ts"],
  },
  "other hosts": {
    files: [
      "lib/http-effect/allowed-hosts.ts",
      "lib/http-effect/places.ts",
      "lib/http-effect/prepare-outside-request.ts",
      "lib/http-effect/public-address.ts",
      "lib/http-effect/request.ts",
    ],
    tests: [
      "test/unit/http-effect/places.test.ts",
      "test/unit/http-effect/public-address.test.ts",
      "test/unit/http-effect/read-target.test.ts",
      "test/unit/http-effect/request.test.ts",
    ],
  },
  login: {
    files: [
      "lib/login/log-in.ts",
      "lib/login/read-profile.ts",
      "lib/login/read-uid.ts",
      "lib/own-functions/cors.ts",
      "lib/own-functions/jwt/duplicate-names.ts",
      "lib/own-functions/jwt/token-form.ts",
      "lib/own-functions/jwt/verify-token.ts",
    ],
    tests: ["test/unit/login/*.test.ts", "test/unit/own-functions/on-request.test.ts"],
  },
  triggers: {
    files: [
      "lib/triggers/alone-steps.ts",
      "lib/triggers/attempt-event.ts",
      "lib/triggers/attempt-scope.ts",
      "lib/triggers/beside-lane.ts",
      "lib/triggers/classify-failure.ts",
      "lib/triggers/enabled-triggers.ts",
      "lib/triggers/event-steps.ts",
      "lib/triggers/on-trigger.ts",
      "lib/triggers/only-this-event.ts",
      "lib/triggers/event-age.ts",
      "lib/triggers/event-notices.ts",
      "lib/triggers/pass-over.ts",
    ],
    tests: ["test/unit/triggers/*.test.ts", "test/unit/shadow/shadow-mode.test.ts"],
  },
  retries: {
    files: ["lib/chat/attempt.ts", "lib/chat/retry.ts", "lib/chat/send-request.ts"],
    tests: ["test/unit/chat/*.test.ts"],
  },
  table: {
    files: ["lib/aws/attribute-values.ts", "lib/aws/create-table.ts", "lib/aws/table-expressions.ts"],
    tests: ["test/unit/aws/*table*.test.ts", "test/unit/aws/attribute-values.test.ts"],
  },
  reader: {
    files: [
      "lib/events/deed.ts",
      "lib/events/nesting.ts",
      "lib/events/oddities.ts",
      "lib/events/read-moment.ts",
      "lib/events/scalars.ts",
      "lib/events/without-nulls.ts",
    ],
    tests: [
      "test/unit/events/oddities.test.ts",
      "test/unit/events/odd-forms.long.test.ts",
      "test/unit/events/parse-event.test.ts",
      "test/unit/events/read-moment.test.ts",
      "test/unit/events/robustness.test.ts",
    ],
  },
  reconcile: {
    files: [
      "lib/reconcile/count-received.ts",
      "lib/reconcile/hand-over.ts",
      "lib/reconcile/list-messages.ts",
      "lib/reconcile/measure-app.ts",
      "lib/reconcile/plan-run.ts",
      "lib/reconcile/received-counts.ts",
      "lib/reconcile/reconcile-app.ts",
      "lib/reconcile/reconcile-apps.ts",
      "lib/reconcile/reconcile-memory.ts",
      "lib/reconcile/reconcile-request.ts",
      "lib/reconcile/to-delivery.ts",
      "lib/reconcile/told-message.ts",
      "lib/event-queue/enqueue-many.ts",
    ],
    tests: ["test/unit/reconcile/*.test.ts"],
  },
  questions: {
    files: [
      "lib/questions/answer-question.ts",
      "lib/questions/own-decide.ts",
      "lib/questions/plain-values.ts",
      "lib/time-limit.ts",
      "lib/questions/without-depths.ts",
      "lib/moderation-lists/compile-pattern.ts",
    ],
    tests: ["test/unit/questions/*.test.ts", "test/unit/moderation-lists/*.test.ts"],
  },
  log: {
    files: [
      "lib/causes.ts",
      "lib/count-metric.ts",
      "lib/describe-error.ts",
      "lib/error-fields.ts",
      "lib/hint.ts",
      "lib/known-secrets.ts",
      "lib/log-value.ts",
      "lib/log.ts",
    ],
    tests: [
      "test/unit/count-metric.test.ts",
      "test/unit/describe-error.test.ts",
      "test/unit/hint.test.ts",
      "test/unit/log.test.ts",
    ],
  },
  "phone calls": {
    files: ["lib/phone-calls/occurrences.ts", "lib/phone-calls/summarise-call.ts"],
    tests: ["test/unit/phone-calls/*.test.ts"],
  },
  "app as code": {
    files: ["lib/app-as-code/plan-thing.ts"],
    tests: ["test/unit/app-as-code/plan-thing.test.ts"],
  },
  "kept events": {
    files: ["lib/flows/flow-marks.ts", "lib/flows/wait-keys.ts", "lib/flows/wait-memory.ts"],
    tests: [
      "test/unit/flows/flow-marks.test.ts",
      "test/unit/flows/open-waits.test.ts",
      "test/unit/flows/wait-keys.test.ts",
    ],
  },
  rollback: {
    files: ["cli/deploy/choose-deployment.ts"],
    tests: ["test/unit/cli/choose-deployment.test.ts"],
  },
} as const satisfies Readonly<Record<string, MutationGroup>>;

/** Percent of a group's mutants that the unit tests must notice. */
export const minimumScore = 85;
