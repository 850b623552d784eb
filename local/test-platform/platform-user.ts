import * as z from "zod/mini";
import { isRecord } from "../../lib/base/json.ts";
import { checkCall } from "../../lib/chat/check-call.ts";
import { InvalidInputError } from "../../lib/chat/errors.ts";
import { type Services, servicesOf } from "../platform/services/services.ts";
import { actAs } from "../platform/simulate/act-as.ts";
import { type ActionInput, actions } from "../platform/simulate/action-table.ts";
import type { App } from "../platform/store/apps.ts";
import { findMessage, isMessage, type Message } from "../platform/store/messages.ts";
import { checkTextOrNone, checkTexts } from "./check-given.ts";

/** A message in the platform's form. */
export type PlatformMessage = Message;

/** A user with a client. Repeated calls repeat the action. Methods throw Error with a refusal's `code`. */
export interface PlatformUser {
  readonly uid: string;
  /** Sends a message to a user or a group. */
  sends(message: UserMessage): Promise<PlatformMessage>;
  /** Changes a message's text, and returns the changed message. */
  edits(messageId: string, text: string): Promise<PlatformMessage>;
  /** Deletes a message. */
  deletes(messageId: string): Promise<void>;
  /** Reacts to a message with an emoji. */
  reacts(messageId: string, emoji: string): Promise<void>;
  /** Confirms receipt of everything up to a message. */
  receives(messageId: string): Promise<void>;
  /** Reads everything up to a message. */
  reads(messageId: string): Promise<void>;
  /** Joins a group. */
  joins(guid: string, password?: string): Promise<void>;
  /** Leaves a group. */
  leaves(guid: string): Promise<void>;
  /** Connects the user: it is online. */
  connects(): Promise<void>;
  /** Disconnects the user: it is offline. */
  disconnects(): Promise<void>;
  /** Calls a user or a group; `simulate` continues the call. */
  calls(callee: Receiver & { readonly type?: "audio" | "video" }): Promise<{ readonly sessionId: string }>;
}

/** The receiver of a message or call. */
export type Receiver = { /** A user. */ readonly to: string } | { /** A group. */ readonly toGroup: string };

/** A message from a user. */
export type UserMessage = Receiver & {
  readonly text?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly tags?: readonly string[];
  /** The thread's parent message. */
  readonly parentId?: string;
  /** Further fields of `POST /messages`, overriding the others, such as `type`, `category` and `data`. */
  readonly body?: Readonly<Record<string, unknown>>;
};

export function createPlatformUser(services: Services, app: () => App, uid: string): PlatformUser {
  const act = (operationId: string, params: Readonly<Record<string, string>>, body = {}) =>
    actAs(servicesOf(services, app()), { operationId, uid, params, body });
  const run = async (id: string, fields: object) => runAction(services, app(), id, { uid, ...fields });
  return {
    uid,
    async sends(message) {
      checkMessage(message);
      const { parentId } = message;
      const params = parentId === undefined ? {} : { id: parentId };
      const operationId = parentId === undefined ? "send-message" : "send-thread-message";
      return requireMessageIn(await act(operationId, params, toBody(message)));
    },
    async edits(id, text) {
      checkTexts("edits", { messageId: id, text });
      // The platform answers with an action message, not the changed one.
      await act("update-message", { id }, { data: { text } });
      return requireMessageIn(findMessage({ db: services.db, appId: app().appId }, id));
    },
    async deletes(id) {
      checkTexts("deletes", { messageId: id });
      await act("delete-message", { id });
    },
    async reacts(id, reaction) {
      checkTexts("reacts", { messageId: id, emoji: reaction });
      await act("add-message-reactions", { id, reaction });
    },
    async receives(id) {
      checkTexts("receives", { messageId: id });
      await run("mark-delivered", { id });
    },
    async reads(id) {
      checkTexts("reads", { messageId: id });
      await run("mark-read", { id });
    },
    async joins(guid, password) {
      checkTexts("joins", { guid });
      checkTextOrNone("joins", "password", password);
      await run("join-group", { guid, ...(password !== undefined && { password }) });
    },
    async leaves(guid) {
      checkTexts("leaves", { guid });
      await run("leave-group", { guid });
    },
    async connects() {
      await run("connect", {});
    },
    async disconnects() {
      await run("disconnect", {});
    },
    async calls(called) {
      checkCallee(called);
      const { type = "audio", ...callee } = called;
      const call = runAction(services, app(), "place-call", { caller: uid, ...receiverOf(callee), type });
      return { sessionId: String(Object(call).sessionId) };
    },
  };
}

const receiver = { to: z.optional(z.string()), toGroup: z.optional(z.string()) };

function checkMessage(message: object) {
  const texts = { text: z.optional(z.string()), parentId: z.optional(z.string()) };
  // Throws for a value that JSON cannot hold.
  const isPlain = (value: unknown) => isRecord(value) && JSON.stringify(value) !== undefined;
  const bag = z.optional(z.custom<unknown>(isPlain, "an object"));
  const tags = z.optional(z.array(z.string()));
  checkCall(
    "sends",
    "message",
    z.strictObject({ ...receiver, ...texts, metadata: bag, tags, body: bag }),
    message,
  );
  checkReceiver("sends", message);
}

function checkCallee(callee: object) {
  const type = z.optional(z.enum(["audio", "video"]));
  checkCall("calls", "callee", z.strictObject({ ...receiver, type }), callee);
  checkReceiver("calls", callee);
}

function checkReceiver(call: string, { to, toGroup }: { readonly to?: unknown; readonly toGroup?: unknown }) {
  if ((to === undefined) !== (toGroup === undefined)) return;
  throw new InvalidInputError(call, "to", "given, or toGroup in its place");
}

function receiverOf(receiver: Receiver) {
  return "to" in receiver
    ? { receiver: receiver.to, receiverType: "user" }
    : { receiver: receiver.toGroup, receiverType: "group" };
}

function toBody(message: UserMessage) {
  const { text, metadata, tags, body } = message;
  return {
    ...receiverOf(message),
    category: "message",
    type: "text",
    data: { ...(text !== undefined && { text }), ...(metadata !== undefined && { metadata }) },
    ...(tags !== undefined && { tags }),
    ...body,
  };
}

function requireMessageIn(data: unknown): PlatformMessage {
  if (isMessage(data)) return data;
  throw new Error("The platform answered no message.");
}

/** Actions of clients outside the REST API, by name, with their fields. */
export interface SimulatedActions {
  /** A device connects. `deviceId` is `web` by default. */
  connect: { uid: string; deviceId?: string; platform?: string };
  /** A device disconnects. */
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
  /** The callee's client rejects a one-to-one call during another. */
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
  /** A user starts or joins a meeting with the customer's session id. */
  "join-meeting": { sessionId: string; uid: string; type?: "audio" | "video" };
  /** A session's recording is ready. */
  "generate-recording": { sessionId: string };
  /** A session's transcript is ready. */
  "generate-transcription": { sessionId: string };
}

/** @throws Error for an unknown action, InvalidInputError for unknown fields, PlatformError for a refusal */
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
