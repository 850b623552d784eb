import { describe, expect, it } from "vitest";
import type { Platform } from "../../local/platform/create-platform.ts";
import { createVirtualClock } from "../../local/platform/services/clock.ts";
import { type PhoneCall, putCall } from "../../local/platform/store/calls.ts";
import { app, call, chat, dataOf, type Json, sendText, startAt, startPlatform } from "./helpers.ts";

describe("calls", () => {
  it("are listed with their totals", async () => {
    const platform = await startWithCalls();

    const answer = await calls(platform, "GET /calls?status=ended");

    expect(answer.data).toMatchObject([
      {
        sessionId: "s1",
        totalDuration: "00:01:30",
        totalDurationInMinutes: 1.5,
        totalAudioMinutes: 1.5,
        totalParticipants: 2,
        hasRecording: true,
        participants: [
          { uid: "alice", totalDuration: 1.5, isJoined: true },
          { uid: "bob", totalDuration: 0 },
        ],
      },
    ]);
    expect(answer.body.meta.pagination.total).toBe(1);
  });

  it.each([
    ["", ["s2", "s1"]],
    ["type=video", ["s2"]],
    ["mode=meet", []],
    ["receiverType=group", ["s2"]],
    ["participantsCount=2", ["s1"]],
    ["hasRecording=true", ["s1"]],
    ["hasTranscription=false", ["s2"]],
    ["uid=bob", ["s1"]],
    ["startedAt=1600000000&endedAt=1600000100", ["s1"]],
    ["page=2&perPage=1", ["s1"]],
  ])("are filtered by '%s'", async (query, sessions) => {
    const platform = await startWithCalls();

    const answer = await calls(platform, `GET /calls?${query}`);

    expect(answer.data.map((item: Json) => item.sessionId)).toEqual(sessions);
  });

  it("are read one by one, with the transcripts in pages, by a participant", async () => {
    const platform = await startWithCalls();

    const detail = await calls(platform, "GET /calls/s1", "bob");
    const transcripts = await calls(platform, "GET /calls/s1/transcriptions?perPage=2&page=4");

    expect(detail.data).toMatchObject({ metaData: [], tags: [] });
    expect(detail.data.transcriptions.map((item: Json) => item.tid)).toEqual(["t3", "t4", "t5", "t6", "t7"]);
    expect(transcripts.data).toEqual([{ tid: "t7" }]);
    expect((await calls(platform, "GET /calls", "bob")).data).toHaveLength(1);
  });

  it.each(["GET /calls/none", "GET /calls/none/transcriptions", "GET /calls/s2"])(
    "refuse %s to bob",
    async (line) => {
      const platform = await startWithCalls();

      const answer = await calls(platform, line, "bob");

      expect(answer.code).toBe("ERR_CALL_SESSION_NOT_FOUND");
    },
  );
});

describe("metrics", () => {
  it("count minutes and users between two dates, in milliseconds", async () => {
    await startWithCalls();
    await sendText("hi");

    expect(await dataOf("GET /stats?fromDate=1600000000&toDate=1600010000000")).toEqual({
      metrics: {
        audio_minutes: 2,
        video_minutes: 0,
        recorded_minutes: 2,
        active_users: 1,
        concurrent_users: 0,
      },
      time_range: { fromDate: 1_600_000_000_000, toDate: 1_600_010_000_000 },
    });
  });

  it("count the messages of the last hour in five-minute steps, times as strings", async () => {
    const clock = await startAt(1_600_000_000_000);
    await sendText("hi");
    await clock.advance(600_000);

    const { data } = (await chat("GET /stats/messages")).body;

    expect(data.appId).toBe(app.appId);
    expect(data.dataPoints).toHaveLength(12);
    expect(
      data.dataPoints.map((point: Json) => point.messagesSent).reduce((sum: number, n: number) => sum + n),
    ).toBe(1);
    expect(data.dataPoints[0]).toMatchObject({ startTime: "1599996900000", endTime: "1599997200000" });
    expect([data.startTime, data.endTime]).toEqual(["1599996900000", "1600000500000"]);
  });
});

async function startWithCalls(): Promise<Platform> {
  const platform = await startPlatform({ clock: createVirtualClock(1_600_000_500_000) });
  const base = {
    initiator: "alice",
    receiver: "bob",
    receiverType: "user",
    initiatedAt: 1_600_000_000,
    mode: "call",
    tags: [],
  } satisfies Partial<PhoneCall>;
  const first: PhoneCall = {
    ...base,
    sessionId: "s1",
    mid: "m1",
    type: "audio",
    status: "ended",
    startedAt: 1_600_000_010,
    endedAt: 1_600_000_100,
    participants: [
      { uid: "alice", state: "ended", joinedAt: 1_600_000_010, leftAt: 1_600_000_100 },
      { uid: "bob", state: "unanswered" },
    ],
    recordings: [{ rid: "r1" }],
    transcriptions: Array.from({ length: 7 }, (_, index) => ({ tid: `t${index + 1}` })),
  };
  const second: PhoneCall = {
    ...base,
    sessionId: "s2",
    mid: "m2",
    type: "video",
    status: "initiated",
    initiatedAt: 1_600_000_200,
    receiver: "lobby",
    receiverType: "group",
    participants: [{ uid: "alice", state: "unanswered" }],
    recordings: [],
    transcriptions: [],
  };
  for (const one of [first, second]) putCall({ db: platform.services.db, appId: app.appId }, one);
  return platform;
}

function calls(platform: Platform, line: string, as?: string) {
  return call(platform.appUrl(app.appId, app.region, "call"), line, {
    headers: { apikey: app.fullAccessKey, ...(as === undefined ? {} : { onBehalfOf: as }) },
  });
}
