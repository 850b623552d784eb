import { describe, expect, it } from "vitest";
import { findGroup, putGroup } from "../../local/platform/store/groups.ts";
import { act, app, chat, startPlatform } from "./helpers.ts";

describe("refusals that no family of tests is about", () => {
  it.each([
    ["ERR_GUID_ALREADY_EXISTS", "POST /groups", { guid: "lobby", name: "L", type: "public" }],
    [
      "ERR_INVALID_MEDIA_MESSAGE",
      "POST /messages",
      { receiver: "bob", receiverType: "user", type: "image", data: { attachments: [{ name: "x" }] } },
    ],
    [
      "ERR_INVALID_CUSTOM_DATA",
      "POST /messages",
      {
        receiver: "bob",
        receiverType: "user",
        category: "custom",
        type: "place",
        data: { customData: "text" },
      },
    ],
  ])("%s answers %s", async (code, line, body) => {
    const refused = await chat(line, "alice", body);

    expect([refused.status, refused.code]).toEqual([400, code]);
  });

  it.each([
    ["ERR_IMPORT_INVALID_GROUP_FORMAT", "groups"],
    ["ERR_IMPORT_INVALID_MEMBER_FORMAT", "members"],
    ["ERR_IMPORT_INVALID_MESSAGE_FORMAT", "messages"],
  ])("%s answers an import of %s without its map", async (code, kind) => {
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

  it("ERR_CALL_GROUP_ALREADY_LEFT answers who leaves a session twice", async () => {
    for (const uid of ["alice", "bob"]) await act("/meetings/standup/join", { uid });
    await act("/calls/standup/leave", { uid: "bob" });

    const refused = await act("/calls/standup/leave", { uid: "bob" });

    expect(refused.code).toBe("ERR_CALL_GROUP_ALREADY_LEFT");
  });
});
