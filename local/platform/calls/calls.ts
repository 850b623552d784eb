import { PlatformError } from "../errors/platform-error.ts";
import { pageMeta, pageOf, readPage } from "../http/pagination.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import { nowSeconds } from "../services/services.ts";
import { findCall, listCalls, type PhoneCall, takesPart } from "../store/calls.ts";
import { showCall } from "./show-call.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/calls.md#operations",
  surface: "calls",
  method: "GET",
  onBehalfOf: "optional",
} as const;

/** Declares the calls interface, which only reads: calls are made by clients. */
export const callRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "list-calls",
    path: "/calls",
    assumptions: [
      "Newest first; `page` and `perPage` work although they are not declared.",
      "`startedAt` and `endedAt` are the earliest start and the latest end.",
    ],
    handler: list,
  },
  {
    ...base,
    operationId: "retrieve-call-details",
    path: "/calls/{sessionId}",
    assumptions: ["A call of others is not found for the acting user."],
    handler: get,
  },
  {
    ...base,
    operationId: "retrieve-call-transcriptions",
    path: "/calls/{sessionId}/transcriptions",
    handler: listTranscriptions,
  },
];

function list(request: AppRequest): Reply {
  const matches = filterOf(request);
  const calls = listCalls(request.db, request.app.appId).filter(matches).reverse();
  const page = readPage(request.query);
  const shown = pageOf(calls, page);
  const at = nowSeconds(request);
  return reply(
    shown.map((item) => showCall(item, at)),
    { meta: pageMeta(page, calls.length, shown.length) },
  );
}

function get(request: AppRequest): Reply {
  const found = requireCall(request);
  return reply({ ...showCall(found, nowSeconds(request)), metaData: [], tags: found.tags });
}

function listTranscriptions(request: AppRequest): Reply {
  const { transcriptions } = requireCall(request);
  const page = readPage(request.query);
  const shown = pageOf(transcriptions, page);
  return reply(shown, { meta: pageMeta(page, transcriptions.length, shown.length) });
}

function requireCall(request: AppRequest): PhoneCall {
  const sessionId = request.param("sessionId");
  const found = findCall(request.db, request.app.appId, sessionId);
  if (found === undefined || (request.actor !== undefined && !takesPart(found, request.actor.uid))) {
    throw new PlatformError(
      "ERR_CALL_SESSION_NOT_FOUND",
      `The call with session id ${sessionId} does not exist.`,
    );
  }
  return found;
}

function filterOf({ query, actor }: AppRequest): (call: PhoneCall) => boolean {
  const equal = [
    ["type", query.text("type")],
    ["mode", query.text("mode")],
    ["status", query.text("status")],
    ["receiverType", query.text("receiverType")],
  ] as const;
  const participants = query.integer("participantsCount");
  const startedAt = query.integer("startedAt");
  const endedAt = query.integer("endedAt");
  const hasRecording = query.flag("hasRecording");
  const hasTranscription = query.flag("hasTranscription");
  const uids = [query.text("uid"), actor?.uid].filter((uid) => uid !== undefined);
  return (call) =>
    equal.every(([field, value]) => value === undefined || call[field] === value) &&
    (participants === undefined || call.participants.length === participants) &&
    (startedAt === undefined || (call.startedAt ?? 0) >= startedAt) &&
    (endedAt === undefined || (call.endedAt !== undefined && call.endedAt <= endedAt)) &&
    (hasRecording === undefined || call.recordings.length > 0 === hasRecording) &&
    (hasTranscription === undefined || call.transcriptions.length > 0 === hasTranscription) &&
    uids.every((uid) => takesPart(call, uid));
}
