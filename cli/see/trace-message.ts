import { problemOfAppId } from "../../build/served-apps.ts";
import { describeError } from "../../lib/base/describe-error.ts";
import { sha256Hex } from "../../lib/base/digest.ts";
import { joinFields } from "../../lib/events/identity.ts";
import { readText } from "../../lib/events/read-path.ts";
import { sentAtOf } from "../../lib/handle/reported-message.ts";
import { type OpenApp, openApp } from "./open-app.ts";
import type { TraceStep } from "./trace-lines.ts";

/** The platform's current state of a message. */
export interface AskedMessage {
  readonly app: OpenApp;
  readonly sentAtMs: number | undefined;
  readonly laneId: string | undefined;
  readonly step: TraceStep;
}

/** Reads the message; adds the reason to `missing` if it cannot be read. May be repeated. */
export async function readMessage(
  target: Parameters<typeof openApp>[0],
  appId: string | undefined,
  messageId: string | undefined,
  missing: string[],
): Promise<AskedMessage | undefined> {
  if (messageId === undefined || !/^\d+$/.test(messageId)) return undefined;
  // A key is untrusted input: only an app's secret is read.
  if (appId !== undefined && problemOfAppId(appId) !== undefined) return undefined;
  if (appId === undefined) {
    missing.push("the message itself: the stage serves several apps, and none is named (--app)");
    return undefined;
  }
  try {
    const app = await openApp(target, appId);
    const message = await app.messages.get(messageId);
    const sentAt = sentAtOf(message);
    const conversation = readText(message, "conversationId");
    const sentAtMs = sentAt === undefined ? undefined : sentAt * 1000;
    const what = `${readText(message, "sender") ?? "a user"} sent the message ${messageId}`;
    return {
      ...{ app, sentAtMs },
      laneId: conversation && `events ${sha256Hex(joinFields([appId, conversation]))}`,
      step: { atMs: sentAtMs ?? 0, place: "platform", what, from: "the platform, in whole seconds" },
    };
  } catch (error) {
    missing.push(`the message itself: ${describeError(error)}`);
    return undefined;
  }
}

/** Returns when a created message entered its conversation; undefined if the platform does not say. */
export async function replyStep(app: OpenApp, messageId: string): Promise<TraceStep | undefined> {
  const message = await app.messages.get(messageId).catch(() => undefined);
  const sentAt = sentAtOf(message);
  if (sentAt === undefined) return undefined;
  const what = `the message ${messageId} of ${readText(message, "sender") ?? "somebody"} is there`;
  return { atMs: sentAt * 1000, place: "reply", what, from: "the platform, in whole seconds" };
}
