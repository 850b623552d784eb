import type { Hono } from "hono";
import { addMedia, getFile, sendFile } from "../chat/media.ts";
import { joinGroup, leaveGroup, markMessage } from "../chat/membership.ts";
import { ensureField } from "../errors/platform-error.ts";
import { choice, optionalText, requiredText } from "../http/fields.ts";
import { addOwnOfApp, readOwnBody } from "../http/own-json.ts";
import type { JsonObject } from "../json.ts";
import type { AppServices, Services } from "../services/services.ts";
import type { Seat } from "./call-events.ts";
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

type Action = ReturnType<typeof action>;

function action(
  id: string,
  path: string,
  says: string,
  triggers: readonly string[],
  run: (services: AppServices, input: ActionInput) => unknown,
) {
  return { id, path, says, triggers, run };
}

export type ActionInput = { param(name: string): string; body: JsonObject };

function bySeat(run: (services: AppServices, seat: Seat) => unknown): Action["run"] {
  return (services, input) => run(services, readSeat(input));
}

function bySession(run: (services: AppServices, sessionId: string) => unknown): Action["run"] {
  return (services, { param }) => run(services, param("sessionId"));
}

export const actions: readonly Action[] = [
  action(
    "connect",
    "/users/{uid}/connect",
    "A device opens its connection: {deviceId?, platform?}.",
    ["user_connection_status_changed"],
    (services, input) => connectUser(services, readPresence(input)),
  ),
  action(
    "disconnect",
    "/users/{uid}/disconnect",
    "A device closes its connection: {deviceId?}.",
    ["user_connection_status_changed"],
    (services, input) => disconnectUser(services, readPresence(input)),
  ),
  action(
    "join-group",
    "/groups/{guid}/join",
    "A user joins a group: {uid, password?}.",
    ["group_member_joined"],
    (services, { param, body }) =>
      joinGroup(services, {
        guid: param("guid"),
        uid: requiredText(body, "uid"),
        password: optionalText(body, "password"),
      }),
  ),
  action(
    "leave-group",
    "/groups/{guid}/leave",
    "A member leaves a group: {uid}.",
    ["group_member_left"],
    (services, { param, body }) => {
      leaveGroup(services, { guid: param("guid"), uid: requiredText(body, "uid") });
      return { success: true };
    },
  ),
  action(
    "mark-delivered",
    "/messages/{id}/delivered",
    "A recipient's client received everything up to a message: {uid}.",
    ["message_delivery_receipt", "message_delivered_to_all"],
    (services, input) => ({ isNew: markMessage(services, readMark(input), "delivered") }),
  ),
  action(
    "mark-read",
    "/messages/{id}/read",
    "A recipient read everything up to a message: {uid}.",
    ["message_read_receipt", "message_read_by_all"],
    (services, input) => ({ isNew: markMessage(services, readMark(input), "read") }),
  ),
  action(
    "place-call",
    "/calls",
    "A user calls a user or a group: {caller, receiver, receiverType?, type?}.",
    ["call_initiated"],
    (services, { body }) =>
      placeCall(services, {
        caller: requiredText(body, "caller"),
        receiver: requiredText(body, "receiver"),
        receiverType: choice(body, "receiverType", ["user", "group"]) ?? "user",
        type: readType(body),
      }),
  ),
  action(
    "answer-call",
    "/calls/{sessionId}/answer",
    "A callee answers; the first answer joins the caller, too: {uid}.",
    ["call_started", "call_participant_joined"],
    bySeat(answerPhoneCall),
  ),
  action(
    "reject-call",
    "/calls/{sessionId}/reject",
    "The callee turns a one-to-one call down: {uid}.",
    ["call_rejected"],
    bySeat((services, seat) => rejectCall(services, { ...seat, isBusy: false })),
  ),
  action(
    "busy-call",
    "/calls/{sessionId}/busy",
    "The callee's client turns a one-to-one call down because it is in another: {uid}.",
    ["call_busy"],
    bySeat((services, seat) => rejectCall(services, { ...seat, isBusy: true })),
  ),
  action(
    "cancel-call",
    "/calls/{sessionId}/cancel",
    "The caller takes a ringing call back: {uid}.",
    ["call_cancelled"],
    bySeat(cancelCall),
  ),
  action(
    "leave-call-unanswered",
    "/calls/{sessionId}/unanswered",
    "The ring timeout passes.",
    ["call_unanswered"],
    bySession(leaveUnanswered),
  ),
  action(
    "join-call",
    "/calls/{sessionId}/join",
    "A further participant joins the session: {uid}.",
    ["call_participant_joined", "meeting_participant_joined"],
    bySeat(joinCall),
  ),
  action(
    "leave-call",
    "/calls/{sessionId}/leave",
    "A participant leaves; the last one ends it: {uid}.",
    ["call_participant_left", "call_ended", "meeting_participant_left", "meeting_ended"],
    bySeat(leaveCall),
  ),
  action(
    "end-call",
    "/calls/{sessionId}/end",
    "Everybody leaves at once.",
    ["call_participant_left", "call_ended", "meeting_participant_left", "meeting_ended"],
    bySession(endCall),
  ),
  action(
    "join-meeting",
    "/meetings/{sessionId}/join",
    "A user starts or joins a meeting, whose session id is the customer's own: {uid, type?}.",
    ["meeting_started", "meeting_participant_joined"],
    (services, input) => joinMeeting(services, { ...readSeat(input), type: readType(input.body) }),
  ),
  action(
    "generate-recording",
    "/calls/{sessionId}/recording",
    "The recording of a session is ready.",
    ["recording_generated"],
    bySession(generateRecording),
  ),
  action(
    "generate-transcription",
    "/calls/{sessionId}/transcription",
    "The transcript of a session is ready.",
    ["transcription_generated"],
    bySession(generateTranscription),
  ),
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

export function addActions(app: Hono, services: Services): void {
  for (const { path, run } of actions) {
    addOwnOfApp(app, services, {
      async [`POST ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`](at, context) {
        const body = await readOwnBody(context);
        const param = (name: string) => context.req.param(name) ?? "";
        return { data: services.db.transaction(() => run(at, { param, body })) };
      },
    });
  }
}

export function addFiles(app: Hono, services: Services): void {
  const { db } = services;
  addMedia(app, services);
  app.get("/_platform/apps/:appId/files/:fileId/:name", (context) => {
    const file = getFile({ db, appId: context.req.param("appId") }, context.req.param("fileId"));
    if (file === undefined || file.name !== context.req.param("name")) {
      return context.json({ error: { code: "NOT_FOUND", message: "There is no such file." } }, 404);
    }
    return sendFile(file);
  });
}
