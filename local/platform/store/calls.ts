import type { JsonObject } from "../json.ts";
import { type AppData, findBody, nextNumber } from "./database.ts";

/** @see docs/internals/platform/calls.md#operations */
export type CallStatus = "initiated" | "ongoing" | "ended" | "unanswered" | "rejected" | "canceled";

/** Omits the optional fields if the person never joined. Times are unix seconds. */
export type CallParticipant = {
  uid: string;
  state: "ongoing" | "ended" | "unanswered" | "rejected";
  deviceId?: string;
  mid?: string;
  joinedAt?: number;
  leftAt?: number;
};

/** `startedAt`: the first participant joined. `recordings` and `transcriptions`: as in the Calls API. */
export type PhoneCall = {
  sessionId: string;
  mid: string;
  mode: "call" | "meet";
  type: "audio" | "video";
  status: CallStatus;
  initiator: string;
  receiver: string;
  receiverType: "user" | "group";
  initiatedAt: number;
  startedAt?: number;
  endedAt?: number;
  participants: CallParticipant[];
  recordings: JsonObject[];
  transcriptions: JsonObject[];
  tags: string[];
};

export function takesPart(call: PhoneCall, uid: string): boolean {
  return call.initiator === uid || call.participants.some((participant) => participant.uid === uid);
}

export function findCall(data: AppData, sessionId: string): PhoneCall | undefined {
  return findBody(data, "calls", { sessionId });
}

export function listCalls({ db, appId }: AppData): PhoneCall[] {
  return db.entities("SELECT body FROM calls WHERE app_id = ? ORDER BY initiated_at, seq", appId);
}

export function putCall({ db, appId }: AppData, call: PhoneCall): void {
  db.run(
    `INSERT INTO calls (app_id, session_id, seq, initiated_at, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (app_id, session_id) DO UPDATE SET initiated_at = excluded.initiated_at, body = excluded.body`,
    appId,
    call.sessionId,
    nextNumber({ db, appId }, "call"),
    call.initiatedAt,
    JSON.stringify(call),
  );
}
