import { describe, expect, it } from "vitest";
import { findGroup, putGroup } from "../../local/platform/store/groups.ts";
import { act, app, call, chat, startPlatform } from "./helpers.ts";

describe("refusals that no family of tests is about", () => {
  it.each([
    {
      code: "ERR_GUID_ALREADY_EXISTS",
      line: "POST /groups",
      body: { guid: "lobby", name: "L", type: "public" },
    },
    {
      code: "ERR_INVALID_MEDIA_MESSAGE",
      line: "POST /messages",
      body: { receiver: "bob", receiverType: "user", type: "image", data: { attachments: [{ name: "x" }] } },
    },
    {
      code: "ERR_INVALID_CUSTOM_DATA",
      line: "POST /messages",
      body: {
        receiver: "bob",
        receiverType: "user",
        category: "custom",
        type: "place",
        data: { customData: "text" },
      },
    },
  ])("$code answers $line", async ({ code, line, body }) => {
    const refused = await chat(line, "alice", body);

    expect([refused.status, refused.code]).toEqual([400, code]);
  });

  it.each([
    { kind: "groups", code: "ERR_IMPORT_INVALID_GROUP_FORMAT" },
    { kind: "members", code: "ERR_IMPORT_INVALID_MEMBER_FORMAT" },
    { kind: "messages", code: "ERR_IMPORT_INVALID_MESSAGE_FORMAT" },
  ])("$code answers an import of $kind without its map", async ({ kind, code }) => {
    const refused = await chat(`POST /data_import/${kind}`, {});

    expect([refused.status, refused.code]).toEqual([400, code]);
  });

  it("ERR_NO_VACANCY answers who wants to join a group of 100,000", async () => {
    const platform = await startPlatform();
    const { db } = platform.services;
    const group = findGroup({ db, appId: app.appId }, "lobby");
    if (group !== undefined) putGroup({ db, appId: app.appId }, { ...group, membersCount: 100_000 });
    await chat("POST /users", { uid: "dave", name: "Dave" });

    const refused = await act("/groups/lobby/join", { uid: "dave" });

    expect([refused.status, refused.code]).toEqual([403, "ERR_NO_VACANCY"]);
  });

  it("AUTH_ERR_EMPTY_AUTH_HEADER answers management calls without key and secret", async () => {
    const platform = await startPlatform();

    const refused = await call(platform.managementUrl, "GET /apps", {});

    expect([refused.status, refused.code]).toEqual([401, "AUTH_ERR_EMPTY_AUTH_HEADER"]);
  });

  it("ERR_CALL_GROUP_ALREADY_LEFT answers who leaves a session twice", async () => {
    for (const uid of ["alice", "bob"]) await act("/meetings/standup/join", { uid });
    await act("/calls/standup/leave", { uid: "bob" });

    const refused = await act("/calls/standup/leave", { uid: "bob" });

    expect(refused.code).toBe("ERR_CALL_GROUP_ALREADY_LEFT");
  });
});
