import type { Hono } from "hono";
import { joinGroup, leaveGroup, markDelivered, markRead } from "../chat/clients.ts";
import { getFile } from "../chat/message-send.ts";
import { ensureField } from "../errors/platform-error.ts";
import { choice, optionalText, requiredText } from "../http/fields.ts";
import { ownJson, readOwnBody, requireOwnApp } from "../http/own-json.ts";
import type { JsonObject } from "../json.ts";
import { type AppServices, type Services, servicesOf } from "../services/services.ts";
import { cancelCall, leaveUnanswered, placeCall, rejectCall } from "./calls.ts";
import { connectUser, disconnectUser } from "./connections.ts";
import {
  answerPhoneCall,
  endCall,
  generateRecording,
  generateTranscription,
  joinCall,
  joinMeeting,
  leaveCall,
} from "./media.ts";

/** One thing that users do through clients, for which the platform has no REST call. */
type Action = {
  id: string;
  /** Path below `/_platform/apps/{appId}`, always POST. */
  path: string;
  /** What it does, and the body it takes. */
  says: string;
  /** The events it can cause. */
  triggers: readonly string[];
  run(services: AppServices, input: ActionInput): unknown;
};

/** Path parameters and body of an action. */
export type ActionInput = { param(name: string): string; body: JsonObject };

/** Lists the actions. The routes, the page and the fidelity ledger are made from this table. */
export const actions: readonly Action[] = [
  {
    id: "connect",
    path: "/users/{uid}/connect",
    says: "A device opens its connection: {deviceId?, platform?}.",
    triggers: ["user_connection_status_changed"],
    run: (services, input) => connectUser(services, readPresence(input)),
  },
  {
    id: "disconnect",
    path: "/users/{uid}/disconnect",
    says: "A device closes its connection: {deviceId?}.",
    triggers: ["user_connection_status_changed"],
    run: (services, input) => disconnectUser(services, readPresence(input)),
  },
  {
    id: "join-group",
    path: "/groups/{guid}/join",
    says: "A user joins a group: {uid, password?}.",
    triggers: ["group_member_joined"],
    run: (services, { param, body }) =>
      joinGroup(services, {
        guid: param("guid"),
        uid: requiredText(body, "uid"),
        password: optionalText(body, "password"),
      }),
  },
  {
    id: "leave-group",
    path: "/groups/{guid}/leave",
    says: "A member leaves a group: {uid}.",
    triggers: ["group_member_left"],
    run(services, { param, body }) {
      leaveGroup(services, { guid: param("guid"), uid: requiredText(body, "uid") });
      return { success: true };
    },
  },
  {
    id: "mark-delivered",
    path: "/messages/{id}/delivered",
    says: "A recipient's client received everything up to a message: {uid}.",
    triggers: ["message_delivery_receipt", "message_delivered_to_all"],
    run: (services, input) => ({ isNew: markDelivered(services, readMark(input)) }),
  },
  {
    id: "mark-read",
    path: "/messages/{id}/read",
    says: "A recipient read everything up to a message: {uid}.",
    triggers: ["message_read_receipt", "message_read_by_all"],
    run: (services, input) => ({ isNew: markRead(services, readMark(input)) }),
  },
  {
    id: "place-call",
    path: "/calls",
    says: "A user calls a user or a group: {caller, receiver, receiverType?, type?}.",
    triggers: ["call_initiated"],
    run: (services, { body }) =>
      placeCall(services, {
        caller: requiredText(body, "caller"),
        receiver: requiredText(body, "receiver"),
        receiverType: choice(body, "receiverType", ["user", "group"]) ?? "user",
        type: readType(body),
      }),
  },
  {
    id: "answer-call",
    path: "/calls/{sessionId}/answer",
    says: "A callee answers; the first answer joins the caller, too: {uid}.",
    triggers: ["call_started", "call_participant_joined"],
    run: (services, input) => answerPhoneCall(services, readSeat(input)),
  },
  {
    id: "reject-call",
    path: "/calls/{sessionId}/reject",
    says: "The callee turns a one-to-one call down: {uid}.",
    triggers: ["call_rejected"],
    run: (services, input) => rejectCall(services, { ...readSeat(input), isBusy: false }),
  },
  {
    id: "busy-call",
    path: "/calls/{sessionId}/busy",
    says: "The callee's client turns a one-to-one call down because it is in another: {uid}.",
    triggers: ["call_busy"],
    run: (services, input) => rejectCall(services, { ...readSeat(input), isBusy: true }),
  },
  {
    id: "cancel-call",
    path: "/calls/{sessionId}/cancel",
    says: "The caller takes a ringing call back: {uid}.",
    triggers: ["call_cancelled"],
    run: (services, input) => cancelCall(services, readSeat(input)),
  },
  {
    id: "leave-call-unanswered",
    path: "/calls/{sessionId}/unanswered",
    says: "The ring timeout passes.",
    triggers: ["call_unanswered"],
    run: (services, { param }) => leaveUnanswered(services, param("sessionId")),
  },
  {
    id: "join-call",
    path: "/calls/{sessionId}/join",
    says: "A further participant joins the session: {uid}.",
    triggers: ["call_participant_joined", "meeting_participant_joined"],
    run: (services, input) => joinCall(services, readSeat(input)),
  },
  {
    id: "leave-call",
    path: "/calls/{sessionId}/leave",
    says: "A participant leaves; the last one ends it: {uid}.",
    triggers: ["call_participant_left", "call_ended", "meeting_participant_left", "meeting_ended"],
    run: (services, input) => leaveCall(services, readSeat(input)),
  },
  {
    id: "end-call",
    path: "/calls/{sessionId}/end",
    says: "Everybody leaves at once.",
    triggers: ["call_participant_left", "call_ended", "meeting_participant_left", "meeting_ended"],
    run: (services, { param }) => endCall(services, param("sessionId")),
  },
  {
    id: "join-meeting",
    path: "/meetings/{sessionId}/join",
    says: "A user starts or joins a meeting, whose session id is the customer's own: {uid, type?}.",
    triggers: ["meeting_started", "meeting_participant_joined"],
    run: (services, input) => joinMeeting(services, { ...readSeat(input), type: readType(input.body) }),
  },
  {
    id: "generate-recording",
    path: "/calls/{sessionId}/recording",
    says: "The recording of a session is ready.",
    triggers: ["recording_generated"],
    run: (services, { param }) => generateRecording(services, param("sessionId")),
  },
  {
    id: "generate-transcription",
    path: "/calls/{sessionId}/transcription",
    says: "The transcript of a session is ready.",
    triggers: ["transcription_generated"],
    run: (services, { param }) => generateTranscription(services, param("sessionId")),
  },
];

function readPresence({ param, body }: ActionInput) {
  return {
    uid: param("uid"),
    deviceId: optionalText(body, "deviceId"),
    platform: optionalText(body, "platform"),
  };
}

function readMark({ param, body }: ActionInput) {
  return { uid: requiredText(body, "uid"), messageId: param("id") };
}

function readSeat({ param, body }: ActionInput) {
  const sessionId = param("sessionId");
  ensureField(sessionId.trim() !== "", "sessionId", "The sessionId is required.");
  return { sessionId, uid: requiredText(body, "uid") };
}

function readType(body: JsonObject) {
  return choice(body, "type", ["audio", "video"]) ?? "audio";
}

/** Adds what clients do, fenced off from the platform's own routes: `POST /_platform/apps/{appId}/…`. */
export function addActions(app: Hono, services: Services): void {
  for (const action of actions) {
    app.post(
      `/_platform/apps/:appId${action.path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
      ownJson(async (context) => {
        const body = await readOwnBody(context);
        const param = (name: string) => context.req.param(name) ?? "";
        const appServices = servicesOf(services, requireOwnApp(services, context));
        return { data: services.db.transaction(() => action.run(appServices, { param, body })) };
      }),
    );
  }
}

/** Adds what attachments link to: the files that came with messages, always as a download and never as a page. */
export function addFiles(app: Hono, { db }: Services): void {
  app.get("/_platform/apps/:appId/files/:fileId/:name", (context) => {
    const file = getFile({ db, appId: context.req.param("appId") }, context.req.param("fileId"));
    if (file === undefined || file.name !== context.req.param("name")) {
      return context.json({ error: { code: "NOT_FOUND", message: "There is no such file." } }, 404);
    }
    return new Response(Uint8Array.from(file.bytes), {
      headers: {
        "content-type": isPlain.test(file.mimeType) ? file.mimeType : "application/octet-stream",
        "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
        "content-security-policy": "sandbox",
        "x-content-type-options": "nosniff",
      },
    });
  });
}

const isPlain = /^[\w.+-]+\/[\w.+-]+$/;
