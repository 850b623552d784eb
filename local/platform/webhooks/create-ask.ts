import { PlatformError } from "../errors/platform-error.ts";
import { isJsonObject, readJson } from "../json.ts";
import type { Clock } from "../services/clock.ts";
import type { Ask } from "../services/question.ts";
import type { RecordBus } from "../services/records.ts";
import { authorizationOf, isSuccess, type Sender } from "./send.ts";

/** Creates what asks customers' servers. */
export function createAsk(parts: { sender: Sender; clock: Clock; records: RecordBus }): Ask {
  return async (question) => {
    const atMs = parts.clock.now();
    const body = JSON.stringify(question.body);
    const result = await parts.sender.send({
      url: question.url,
      body,
      authorization: question.credentials === undefined ? undefined : authorizationOf(question.credentials),
      timeoutMs: question.timeoutMs,
      contentType: question.kind === "custom_moderation" ? "application/json" : undefined,
    });
    parts.records.emit(() => ({
      type: "callback",
      appId: question.appId,
      kind: question.kind,
      target: question.target,
      status: result.status,
      durationMs: result.durationMs,
      error: result.error,
      exchange: () => ({
        sent: new TextEncoder().encode(body),
        sentType: "application/json",
        answer: result.text,
      }),
    }));
    const { status, error, isTimeout, text } = result;
    const answer = status !== undefined && isSuccess(status) ? readJson(text) : undefined;
    return { status, error, isTimeout, text, json: isJsonObject(answer) ? answer : undefined, atMs };
  };
}

/**
 * Gives an `ask` whose answers count only while `era` stays: what asked for an earlier state must not go on in another.
 * @throws PlatformError when it changed meanwhile
 */
export function askWithin(ask: Ask, era: () => number): Ask {
  return async (question) => {
    const askedIn = era();
    const answer = await ask(question);
    if (askedIn === era()) return answer;
    throw new PlatformError("ERR_EXCEPTION", "The platform was reset or restored meanwhile.", {
      status: 503,
    });
  };
}
