import * as z from "zod/mini";
import { checkCall } from "../../lib/chat/check-call.ts";
import { type Services, servicesOf } from "../platform/services/services.ts";
import { type ActionInput, actions } from "../platform/simulate/action-table.ts";
import type { App } from "../platform/store/apps.ts";
import { checkTexts } from "./check-given.ts";

/** Actions of clients outside the REST API, by name, with their fields. */
export interface SimulatedActions {
  /** A device opens its connection. `deviceId` is `web` unless given. */
  connect: { uid: string; deviceId?: string; platform?: string };
  /** A device closes its connection. */
  disconnect: { uid: string; deviceId?: string };
  /** A user joins a group. */
  "join-group": { guid: string; uid: string; password?: string };
  /** A member leaves a group. */
  "leave-group": { guid: string; uid: string };
  /** A recipient's client received everything up to a message. */
  "mark-delivered": { id: string; uid: string };
  /** A recipient read everything up to a message. */
  "mark-read": { id: string; uid: string };
  /** A user calls a user or a group. */
  "place-call": {
    caller: string;
    receiver: string;
    receiverType?: "user" | "group";
    type?: "audio" | "video";
  };
  /** A callee answers; the first answer also joins the caller. */
  "answer-call": { sessionId: string; uid: string };
  /** The callee rejects a one-to-one call. */
  "reject-call": { sessionId: string; uid: string };
  /** The callee's client rejects a one-to-one call because it is in another. */
  "busy-call": { sessionId: string; uid: string };
  /** The caller cancels a ringing call. */
  "cancel-call": { sessionId: string; uid: string };
  /** The ring timeout passes. */
  "leave-call-unanswered": { sessionId: string };
  /** A further participant joins the session. */
  "join-call": { sessionId: string; uid: string };
  /** A participant leaves; the last one ends it. */
  "leave-call": { sessionId: string; uid: string };
  /** All participants leave together. */
  "end-call": { sessionId: string };
  /** A user starts or joins a meeting, whose session id is the customer's own. */
  "join-meeting": { sessionId: string; uid: string; type?: "audio" | "video" };
  /** The recording of a session is ready. */
  "generate-recording": { sessionId: string };
  /** The transcript of a session is ready. */
  "generate-transcription": { sessionId: string };
}

/**
 * @throws Error for an unknown action, InvalidInputError for unknown fields, PlatformError as the platform
 * refuses it
 */
export function runAction(services: Services, app: App, id: string, fields: object): unknown {
  checkTexts("simulate", { id });
  const action = actions.find((one) => one.id === id);
  if (action === undefined) {
    throw new Error(`There is no action "${id}". There are: ${actions.map((one) => one.id).join(", ")}.`);
  }
  const known = Object.entries(fieldsOf).find(([name]) => name === id)?.[1] ?? [];
  const shape = Object.fromEntries(known.map((name) => [name, z.optional(z.string())]));
  checkCall(`simulate("${id}")`, "fields", z.strictObject(shape), fields);
  const given = new Map<string, unknown>(Object.entries(fields));
  const input: ActionInput = {
    body: Object.fromEntries(given),
    param(name) {
      const value = given.get(name);
      if (typeof value === "string" && value !== "") return value;
      throw new TypeError(`The action "${id}" needs ${name}.`);
    },
  };
  return services.db.transaction(() => action.run(servicesOf(services, app), input));
}

const fieldsOf: { readonly [Id in keyof SimulatedActions]: readonly (keyof SimulatedActions[Id])[] } = {
  connect: ["uid", "deviceId", "platform"],
  disconnect: ["uid", "deviceId"],
  "join-group": ["guid", "uid", "password"],
  "leave-group": ["guid", "uid"],
  "mark-delivered": ["id", "uid"],
  "mark-read": ["id", "uid"],
  "place-call": ["caller", "receiver", "receiverType", "type"],
  "answer-call": ["sessionId", "uid"],
  "reject-call": ["sessionId", "uid"],
  "busy-call": ["sessionId", "uid"],
  "cancel-call": ["sessionId", "uid"],
  "leave-call-unanswered": ["sessionId"],
  "join-call": ["sessionId", "uid"],
  "leave-call": ["sessionId", "uid"],
  "end-call": ["sessionId"],
  "join-meeting": ["sessionId", "uid", "type"],
  "generate-recording": ["sessionId"],
  "generate-transcription": ["sessionId"],
};
