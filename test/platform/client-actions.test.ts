import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../local/platform/services/clock.ts";
import { servicesOf } from "../../local/platform/services/services.ts";
import { actAs } from "../../local/platform/simulate/act-as.ts";
import { actions } from "../../local/platform/simulate/action-table.ts";
import { findApp } from "../../local/platform/store/apps.ts";
import { watchEvents } from "./events.ts";
import { act, app, call, chat, dataOf, idle, type Json, receive, startPlatform } from "./helpers.ts";

const callTriggers = [...new Set(actions.flatMap(({ triggers }) => triggers))];

describe("connections", () => {
  it("report changes of presence, device by device", async () => {
    const { events, clock } = await listen();

    await act("/users/alice/connect", { deviceId: "phone", platform: "ios" });
    await act("/users/alice/connect", { deviceId: "laptop" });
    const online = (await dataOf("GET /users/alice")).status;
    await act("/users/alice/disconnect", { deviceId: "phone" });
    await act("/users/alice/disconnect", { deviceId: "laptop" });
    await idle();

    expect(online).toBe("available");
    expect(
      events().map(({ data }) => [data.currentConnection.action, data.status, data.userPresenceChanged]),
    ).toEqual([
      ["connected", "online", true],
      ["connected", "online", false],
      ["disconnected", "online", false],
      ["disconnected", "offline", true],
    ]);
    expect(events()[0]).toMatchObject({
      trigger: "user_connection_status_changed",
      data: {
        timestamp: clock.now(),
        user: { uid: "alice", status: "online" },
        currentConnection: { platform: "ios", connectedAt: clock.now() },
      },
    });
  });
});

it.each([
  ["sent", ["by a client", "by REST"]],
  ["none", ["by REST"]],
] as const)("messages of clients fire message_sent by the switch: %s", async (clientMessageEvents, texts) => {
  const { services } = await startPlatform({ switches: { clientMessageEvents } });
  const events = await watchEvents("message_sent");
  const found = findApp(services.db, app.appId);
  const body = { receiver: "bob", receiverType: "user", data: { text: "by a client" } };

  if (found !== undefined) {
    await actAs(servicesOf(services, found), { operationId: "send-message", uid: "alice", body });
  }
  await chat("POST /messages", "alice", { ...body, data: { text: "by REST" } });

  expect((await events()).map(([, { message }]) => message.data.text)).toEqual(texts);
});

describe("signalling of calls", () => {
  it.each([
    ["alice", "ERR_BLOCKED_RECEIVER"],
    ["bob", "ERR_BLOCKED_SENDER"],
  ])("between users of whom %s blocked the other is refused", async (blocker, code) => {
    const other = blocker === "alice" ? "bob" : "alice";
    await chat(`POST /users/${blocker}/blockedusers`, { blockedUids: [other] });

    expect((await act("/calls", { caller: "alice", receiver: "bob" })).code).toBe(code);
  });

  it("begins with call_initiated, which contains the session", async () => {
    const { events, clock } = await listen();

    const placed = await place();
    await idle();

    const at = Math.floor(clock.now() / 1_000);
    expect(events()).toMatchObject([
      {
        trigger: "call_initiated",
        data: {
          call: {
            category: "call",
            type: "audio",
            sender: "alice",
            receiver: "bob",
            sentAt: at,
            data: {
              action: "initiated",
              entities: {
                by: { entity: { uid: "alice" }, entityType: "user" },
                on: {
                  entity: {
                    sessionid: placed.sessionId,
                    status: "initiated",
                    sender: "alice",
                    initiatedAt: at,
                  },
                  entityType: "call",
                },
              },
            },
          },
        },
      },
    ]);
    expect(events()[0]).not.toHaveProperty("type");
  });

  it.each([
    ["reject", "call_rejected", "bob", "alice", "rejected"],
    ["busy", "call_busy", "bob", "alice", "rejected"],
    ["cancel", "call_cancelled", "alice", "bob", "canceled"],
    ["unanswered", "call_unanswered", "alice", "bob", "unanswered"],
  ])("%s ends it with %s from %s, while the caller is still alice", async (...row) => {
    const [action, expected, sender, receiver, status] = row;
    const { events } = await listen();
    const { sessionId } = await place();

    const ended = await act(`/calls/${sessionId}/${action}`, { uid: sender });
    await idle();

    const { trigger, data } = events()[1];
    expect([trigger, data.call.sender, data.call.receiver]).toEqual([expected, sender, receiver]);
    expect(data.call.data.entities.on.entity).toMatchObject({
      sender: "alice",
      receiver: "bob",
      sessionid: sessionId,
    });
    expect(ended.data.status).toBe(status);
  });

  it("shows only the action if the live entities are switched off", async () => {
    const { events } = await listen({ callEntities: false });
    const { sessionId } = await place();

    await act(`/calls/${sessionId}/reject`, { uid: "bob" });
    await idle();

    expect(events()[1].data.call.data).toEqual({ action: "rejected" });
  });
});

describe("sessions of calls", () => {
  it("last from the answer to the end, in the documented order, with a type at the top level", async () => {
    const { events, clock } = await listen();
    const { sessionId } = await place();
    const startedAt = Math.floor(clock.now() / 1_000);

    await act(`/calls/${sessionId}/answer`, { uid: "bob" });
    await clock.advance(20_000);
    await act(`/calls/${sessionId}/leave`, { uid: "bob" });
    await act(`/calls/${sessionId}/leave`, { uid: "alice" });
    await idle();

    const media = events().slice(1);
    expect(media.map(({ trigger, type }) => [trigger, type])).toEqual([
      ["call_started", "call"],
      ["call_participant_joined", "call"],
      ["call_participant_joined", "call"],
      ["call_participant_left", "call"],
      ["call_participant_left", "call"],
      ["call_ended", "call"],
    ]);
    expect(media[0].data).toEqual({ created_at: startedAt, sessionId });
    expect(media[1].data).toMatchObject({
      occupant: { uid: "alice", name: "Alice Nguyen", joined_at: startedAt, audio_call: "true" },
      initial_config: { is_audio_only: "true", is_video_muted: "false" },
      sessionId,
    });
    expect(media[5].data).toEqual({
      all_occupants: ["alice", "bob"].map((uid) => expect.objectContaining({ uid, left_at: startedAt + 20 })),
      created_at: startedAt,
      destroyed_at: startedAt + 20,
      sessionId,
    });
  });

  it("omit the uid if the live form is switched off", async () => {
    const { events } = await listen({ occupantUid: false });
    const { sessionId } = await place();

    await act(`/calls/${sessionId}/answer`, { uid: "bob" });
    await idle();

    expect(events()[2].data.occupant).not.toHaveProperty("uid");
  });

  it("of groups accept more participants and end for all together", async () => {
    const { events } = await listen();
    const placed = await act("/calls", {
      caller: "alice",
      receiver: "lobby",
      receiverType: "group",
    });
    const { sessionId } = placed.data;

    await act(`/calls/${sessionId}/answer`, { uid: "bob" });
    await act(`/calls/${sessionId}/join`, { uid: "support" });
    await act(`/calls/${sessionId}/end`);
    await idle();

    expect(events().map(({ trigger }) => trigger)).toEqual([
      "call_initiated",
      "call_started",
      ...Array(3).fill("call_participant_joined"),
      ...Array(3).fill("call_participant_left"),
      "call_ended",
    ]);
  });

  it("appear in the calls interface with recording and transcript", async () => {
    const { platform, events, clock } = await listen();
    const { sessionId } = await place("video");
    await act(`/calls/${sessionId}/answer`, { uid: "bob" });
    await clock.advance(19_000);
    await act(`/calls/${sessionId}/end`);

    const recording = await act(`/calls/${sessionId}/recording`);
    const transcript = await act(`/calls/${sessionId}/transcription`);
    await idle();
    const listed = await call(platform.appUrl(app.appId, "us", "call"), `GET /calls/${sessionId}`, {
      headers: { apikey: app.fullAccessKey },
    });

    expect(listed.data).toMatchObject({ sessionId, status: "ended", totalDuration: "00:00:19" });
    expect([listed.data.hasRecording, listed.data.hasTranscription]).toEqual([true, true]);
    expect(recording.data).toMatchObject({
      duration: "19.000000",
      startTime: expect.stringMatching(/^\d+$/),
      recordingDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    expect(transcript.data).toMatchObject({ sessionId, endTime: transcript.data.startTime + 19 });
    expect(events().slice(-2)).toMatchObject([
      { trigger: "recording_generated", data: recording.data },
      { trigger: "transcription_generated", data: transcript.data },
    ]);
    expect(events().at(-1)).not.toHaveProperty("type");
  });
});

describe("meetings", () => {
  it("begin with their first participant under the customer's session id", async () => {
    const { events } = await listen();

    await act("/meetings/standup/join", { uid: "alice", type: "video" });
    await act("/meetings/standup/join", { uid: "bob" });
    await act("/calls/standup/leave", { uid: "alice" });
    await act("/calls/standup/leave", { uid: "bob" });
    await idle();

    expect(events().map(({ trigger, type, data }) => [trigger, type, data.sessionId])).toEqual(
      [
        "meeting_started",
        "meeting_participant_joined",
        "meeting_participant_joined",
        "meeting_participant_left",
        "meeting_participant_left",
        "meeting_ended",
      ].map((trigger) => [trigger, "meet", "standup"]),
    );
  });
});

describe("impossible actions", () => {
  const calling = { caller: "alice", receiver: "bob" };
  const refusals: [path: string, body: Json, code: string][] = [
    ["/calls", { caller: "alice", receiver: "alice" }, "ERR_CALLING_SELF"],
    ["/calls", { caller: "alice", receiver: "nobody" }, "ERR_UID_NOT_FOUND"],
    ["/calls", { caller: "alice", receiver: "no", receiverType: "group" }, "ERR_GUID_NOT_FOUND"],
    ["/calls", { receiver: "bob" }, "ERR_BAD_REQUEST"],
    ["/calls", { ...calling, type: "smoke" }, "ERR_BAD_REQUEST"],
    ["/calls/nope/answer", { uid: "bob" }, "ERR_CALL_SESSION_NOT_FOUND"],
    ["/calls/{ringing}/answer", { uid: "alice" }, "ERR_CALL_INVALID_INIT"],
    ["/calls/{ringing}/answer", { uid: "support" }, "ERR_CALL_NOT_A_PART"],
    ["/calls/{ringing}/reject", { uid: "alice" }, "ERR_CALL_BUSY_SELF"],
    ["/calls/{ringing}/cancel", { uid: "bob" }, "ERR_CALL_NOT_A_PART"],
    ["/calls/{ringing}/leave", { uid: "bob" }, "ERR_CALL_NOT_STARTED"],
    ["/calls/{ringing}/recording", {}, "ERR_CALL_NOT_STARTED"],
    ["/calls/{ongoing}/cancel", { uid: "alice" }, "ERR_CALL_ONGOING_TO_INVALID"],
    ["/calls/{ongoing}/join", { uid: "bob" }, "ERR_CALL_USER_ALREADY_JOINED"],
    ["/calls/{ended}/end", {}, "ERR_CALL_TERMINATED"],
    ["/calls", { caller: "bob", receiver: "support" }, "ERR_CALL_BUSY_SELF"],
    ["/calls/{group}/reject", { uid: "bob" }, "ERR_CALL_GROUP_INVALID_STATUS"],
    ["/users/nobody/connect", {}, "ERR_UID_NOT_FOUND"],
    ["/users/alice/disconnect", {}, "BAD_REQUEST"],
  ];

  it("are refused with a code for the reason", async () => {
    await listen();
    const ended = (await place()).sessionId;
    await act(`/calls/${ended}/answer`, { uid: "bob" });
    await act(`/calls/${ended}/end`);
    const ringing = (await place()).sessionId;
    const group = (await act("/calls", { caller: "alice", receiver: "lobby", receiverType: "group" })).data
      .sessionId;
    const ongoing = (await place()).sessionId;
    await act(`/calls/${ongoing}/answer`, { uid: "bob" });
    const sessions: Json = { ended, ringing, group, ongoing };

    const answers = [];
    for (const [path, body] of refusals) {
      const { code } = await act(
        path.replace(/\{(\w+)\}/, (_, name) => sessions[name]),
        body,
      );
      answers.push([path, body, code]);
    }

    expect(answers).toEqual(refusals);
  });

  it("require an existing app", async () => {
    const { url } = await startPlatform();
    const codes = new Set();
    for (const { path } of actions) {
      const filled = path.replaceAll(/\{\w+\}/g, "x");
      codes.add((await call(`${url}/_platform/apps/nope`, `POST ${filled}`, { body: {} })).code);
    }

    expect([...codes]).toEqual(["UNKNOWN_APP"]);
  });
});

async function listen(switches = {}) {
  const clock = createVirtualClock();
  // One call at a time, so that events arrive in order.
  const platform = await startPlatform({ clock, switches, maxConcurrentDeliveries: 1 });
  const receiver = await receive(callTriggers);
  const events = (): Json[] => receiver.received.map(({ json }) => json);
  return { platform, clock, events };
}

async function place(type = "audio"): Promise<{ sessionId: string }> {
  return (await act("/calls", { caller: "alice", receiver: "bob", type })).data;
}
