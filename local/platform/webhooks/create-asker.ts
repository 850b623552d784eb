import { isJsonObject, type JsonObject, parseJson } from "../json.ts";
import type { Clock } from "../services/clock.ts";
import type { RecordBus } from "../services/records.ts";
import { authorizationOf, type Credentials, isSuccess, type Sender } from "./send.ts";

/** Calls a customer's server and gives what it answers, for the calls whose answer decides something. */
export type Caller = (call: SynchronousCall) => Promise<CallResult>;

/** One synchronous call. `kind` and `target` name it in the records. */
export type SynchronousCall = {
  appId: string;
  kind: "before_message" | "custom_moderation";
  target: string;
  url: string;
  credentials: Credentials | undefined;
  body: JsonObject;
  timeoutMs: number;
};

/** What came back. `json` is undefined unless the answer was 2xx with a JSON object. */
export type CallResult = {
  status: number | undefined;
  error: string | undefined;
  isTimeout: boolean;
  text: string;
  json: JsonObject | undefined;
  atMs: number;
};

/** Creates the caller. */
export function createCaller(parts: { sender: Sender; clock: Clock; records: RecordBus }): Caller {
  return async (call) => {
    const atMs = parts.clock.now();
    const result = await parts.sender.send({
      url: call.url,
      body: JSON.stringify(call.body),
      authorization: call.credentials === undefined ? undefined : authorizationOf(call.credentials),
      timeoutMs: call.timeoutMs,
      contentType: call.kind === "custom_moderation" ? "application/json" : undefined,
    });
    parts.records.emit(() => ({
      type: "callback",
      appId: call.appId,
      kind: call.kind,
      target: call.target,
      status: result.status,
      durationMs: result.durationMs,
      error: result.error,
    }));
    const { status, error, isTimeout, text } = result;
    const answer = status !== undefined && isSuccess(status) ? parseJson(text) : undefined;
    return { status, error, isTimeout, text, json: isJsonObject(answer) ? answer : undefined, atMs };
  };
}
