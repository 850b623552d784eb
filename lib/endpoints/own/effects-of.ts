import { readSettingOr } from "../../base/config.ts";
import { PermanentError } from "../../base/errors.ts";
import { lazy } from "../../base/lazy.ts";
import { readPlainly } from "../../chat/check-plain.ts";
import { InvalidInputError } from "../../chat/errors.ts";
import { type EffectTools, logEffect } from "../../effects/effect.ts";
import { EventEndedError } from "../../effects/effect-errors.ts";
import { realEffectEdges } from "../../effects/effect-services.ts";
import { createEffects, type Effects } from "../../effects/effects.ts";
import { triggerKey } from "../../effects/ledger.ts";
import { createPerform, type Perform, type PerformOptions } from "../../effects/perform.ts";
import { buildOwnActs } from "./own-acts.ts";
import { emptyKey } from "./refusal.ts";
import type { OwnContext } from "./request-definition.ts";

/** Effects of a custom function; each happens once. */
export type OwnEffects = Pick<Effects, "do" | "once" | "sendText" | "start">;

/** Limit of an effect, as in a trigger handler. */
const effectLimitMs = 30_000;

/**
 * Returns the effects of a request or a scheduled run: each happens once, however often it is repeated. A
 * repetition runs the handler again, and finished effects return their first results. Needs rights and an
 * environment (docs/functions.md).
 * @param context the handler's argument
 * @param key identifies the work, such as the id of another system's event. Default: of a request, the header
 *   `Idempotency-Key`, by caller, and without it each request is its own; of a schedule, its rule and planned
 *   time, and if its event has none, the invocation with AWS's retries.
 * @throws RefusedRequestError for an empty key, which answers a request with 400 `key_empty`;
 * InvalidInputError for another context or key; MissingSettingError
 * @example const effects = effectsOf(context, body.eventId); await effects.start(answerTicket, body);
 */
export function effectsOf(context: OwnContext, key?: string): OwnEffects {
  checkArguments(context, key);
  const { app, chat, run, log, now } = context;
  const { appId, region } = app;
  const { source, receivedAt, acts = realActs(), follow = (begun) => begun } = run;
  const { ledger, answers, flows, loopGuardOf } = acts.open(context.deadlineMs);
  const triggerName = `${source} of ${acts.functionName}`;
  const ofRun = triggerKey({ appId, occurrenceKey: key ?? run.key, triggerName });
  const tools: Omit<EffectTools, "outside" | "limits"> = {
    appId,
    call: chat.using({}).call,
    guard: loopGuardOf(appId),
    answers,
    flows,
    now,
    secret: context.secret,
    cause: { occurrenceKey: async () => ofRun, receivedAt, happenedAt: receivedAt, region },
  };
  const ended = new Set<string>();
  const onOutcome: PerformOptions["onOutcome"] = ({ name: effect, kind }, how, made) => {
    if (how === "earlier" && ended.has(effect))
      log.warn("an effect was not done, because its name was used before in this run", { effect });
    ended.add(effect);
    logEffect(log, { effect, kind, how, made: Object(made).id });
  };
  const perform: Perform = (name, effect) => {
    const all: EffectTools = {
      ...tools,
      limits: limitsOf(context),
      get outside(): never {
        throw new PermanentError(
          "effects.request is for triggers and flows: start a flow that asks the other host, or use effects.once.",
        );
      },
    };
    const options = { ledger, tools: all, key: ofRun, receivedAt, onOutcome, token: acts.token };
    return follow(createPerform(options)(name, effect));
  };
  const { do: doEffect, once, sendText, start } = createEffects(perform, follow, tools);
  return { do: doEffect, once, sendText, start };
}

const realActs = /* @__PURE__ */ lazy(() => {
  // https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
  const name = readSettingOr("AWS_LAMBDA_FUNCTION_NAME", "own-function");
  return buildOwnActs(name, realEffectEdges(name));
});

function checkArguments(context: unknown, key: unknown) {
  readPlainly("effectsOf", "context", () => {
    if (typeof Object(Object(context).run).key !== "string")
      throw new InvalidInputError(
        "effectsOf",
        "context",
        "the whole argument of a handler of onRequest or onSchedule",
        context === undefined,
      );
  });
  if (key === "") throw emptyKey();
  if (key !== undefined && typeof key !== "string")
    throw new InvalidInputError("effectsOf", "key", "a text that is not empty");
}

function limitsOf({ deadlineMs, signal, now }: OwnContext) {
  const endsAt = Math.min(deadlineMs, now() + effectLimitMs);
  return {
    deadlineMs: endsAt,
    signal,
    assertAlive: () => {
      if (signal.aborted || now() >= endsAt) throw new EventEndedError();
    },
  };
}
