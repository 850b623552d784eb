import * as z from "zod/mini";
import { maybe, maybeFlag, maybeNumber, maybeObjects, maybeText, maybeTexts } from "../answers.ts";
import type { Family } from "../operation.ts";
import {
  int,
  looseObject,
  optional,
  pageFields,
  pageQuery,
  platformId,
  strictObject,
  unixSeconds,
  word,
  yesNo,
} from "../schema.ts";

/** A call or meeting. Times are unix seconds. */
const callAnswer = () =>
  looseObject({
    sessionId: word,
    /** `audio` or `video`. */
    type: maybeText,
    /** `call`, `meet` or `presenter`. */
    mode: maybeText,
    /** `initiated`, `ongoing`, `ended`, `unanswered`, `rejected` or `canceled`. */
    status: maybeText,
    initiator: maybeText,
    receiver: maybeText,
    receiverType: maybeText,
    totalAudioMinutes: maybeNumber,
    totalVideoMinutes: maybeNumber,
    /** HH:MM:SS. */
    totalDuration: maybeText,
    totalDurationInMinutes: maybeNumber,
    totalParticipants: maybeNumber,
    hasRecording: maybeFlag,
    hasTranscription: maybeFlag,
    initiatedAt: maybeNumber,
    startedAt: maybeNumber,
    endedAt: maybeNumber,
    /** One entry per device that joined. */
    participants: maybeObjects,
    recordings: maybeObjects,
    /** At most the latest five. */
    transcriptions: maybeObjects,
    metaData: maybe(z.array(z.unknown())),
    tags: maybeTexts,
  });

/**
 * Calls, read-only, on the Calls host. See docs/internals/platform/calls.md#operations.
 * @example
 * for await (const call of chat.calls.list()) {
 *   if (call.sessionId) console.log((await chat.calls.get(call.sessionId)).totalDuration);
 * }
 */
export const calls = {
  /**
   * Lists calls, of the acting user if given. Whether `startedAt` and `endedAt` (unix seconds) mean equal,
   * from or until is not documented.
   */
  list: {
    id: "list-calls",
    request: "GET /calls",
    service: "call",
    onBehalfOf: "optional",
    input: () =>
      strictObject({
        ...pageFields(),
        ...optional({
          type: z.enum(["audio", "video"]),
          mode: z.enum(["call", "meet", "presenter"]),
          status: z.enum(["rejected", "ongoing", "ended", "unanswered"]),
          receiverType: z.enum(["user", "group"]),
          participantsCount: int,
          startedAt: unixSeconds,
          endedAt: unixSeconds,
          hasRecording: yesNo,
          hasTranscription: yesNo,
          uid: platformId,
        }),
      }),
    paged: "page",
    answer: callAnswer,
  },
  /** Reads a call. Errors: ERR_CALL_SESSION_NOT_FOUND. */
  get: {
    id: "retrieve-call-details",
    request: "GET /calls/{sessionId}",
    service: "call",
    onBehalfOf: "optional",
    answer: callAnswer,
  },
  /**
   * Lists a call's transcripts; they appear some time after it ended. `perPage` default 100. Errors:
   * ERR_CALL_SESSION_NOT_FOUND.
   */
  listTranscriptions: {
    id: "retrieve-call-transcriptions",
    request: "GET /calls/{sessionId}/transcriptions",
    service: "call",
    onBehalfOf: "optional",
    input: pageQuery,
    paged: "page",
    answer: () =>
      looseObject({
        tid: maybeText,
        mid: maybeText,
        roomName: maybeText,
        startTime: maybeNumber,
        endTime: maybeNumber,
        /** ISO 8601. */
        transcriptDate: maybeText,
        transcriptUrl: maybeText,
      }),
  },
} as const satisfies Family;
