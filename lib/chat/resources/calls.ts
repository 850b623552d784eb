import * as z from "zod/mini";
import { flag, maybe, number, objects, text, texts } from "../answers.ts";
import { int, opt, pageFields, pageQuery, platformId, seconds, yesNo } from "../fields.ts";
import type { Family, Schema } from "../operation.ts";

const fields = () =>
  z.looseObject({
    sessionId: z.string(),
    /** `audio` or `video`. */
    type: text(),
    /** `call`, `meet` or `presenter`. */
    mode: text(),
    /** `initiated`, `ongoing`, `ended`, `unanswered`, `rejected` or `canceled`. */
    status: text(),
    initiator: text(),
    receiver: text(),
    receiverType: text(),
    totalAudioMinutes: number(),
    totalVideoMinutes: number(),
    /** HH:MM:SS. */
    totalDuration: text(),
    totalDurationInMinutes: number(),
    totalParticipants: number(),
    hasRecording: flag(),
    hasTranscription: flag(),
    initiatedAt: number(),
    startedAt: number(),
    endedAt: number(),
    /** One entry per device that joined. */
    participants: objects(),
    recordings: objects(),
    /** At most the latest five. */
    transcriptions: objects(),
    metaData: maybe(z.array(z.unknown())),
    tags: texts(),
  });

/** A call or meeting. Times are unix seconds. */
export interface Call extends z.infer<ReturnType<typeof fields>> {}

const callAnswer = (): Schema<Call> => fields();

/** Calls, read-only, on the Calls host. Platform facts: secondary-apis §3. */
export const calls = {
  /** Lists calls, of the acting user if there is one. Whether `startedAt` and `endedAt` (unix seconds) mean equal, from or until is not documented. May be repeated. */
  list: {
    id: "list-calls",
    request: "GET /calls",
    service: "call",
    onBehalfOf: "optional",
    input: () =>
      z.strictObject({
        ...pageFields(),
        type: opt(z.enum(["audio", "video"])),
        mode: opt(z.enum(["call", "meet", "presenter"])),
        status: opt(z.enum(["rejected", "ongoing", "ended", "unanswered"])),
        receiverType: opt(z.enum(["user", "group"])),
        participantsCount: opt(int()),
        startedAt: opt(seconds()),
        endedAt: opt(seconds()),
        hasRecording: opt(yesNo()),
        hasTranscription: opt(yesNo()),
        uid: opt(platformId()),
      }),
    paged: "page",
    answer: callAnswer,
  },
  /** Reads a call. Errors: ERR_CALL_SESSION_NOT_FOUND. May be repeated. */
  get: {
    id: "retrieve-call-details",
    request: "GET /calls/{sessionId}",
    service: "call",
    onBehalfOf: "optional",
    answer: callAnswer,
  },
  /** Lists a call's transcripts; they appear some time after it ended. `perPage` 1 to 1000, default 100. Errors: ERR_CALL_SESSION_NOT_FOUND. May be repeated. */
  listTranscriptions: {
    id: "retrieve-call-transcriptions",
    request: "GET /calls/{sessionId}/transcriptions",
    service: "call",
    onBehalfOf: "optional",
    input: pageQuery,
    paged: "page",
    answer: () =>
      z.looseObject({
        tid: text(),
        mid: text(),
        roomName: text(),
        startTime: number(),
        endTime: number(),
        /** ISO 8601. */
        transcriptDate: text(),
        transcriptUrl: text(),
      }),
  },
} as const satisfies Family;
