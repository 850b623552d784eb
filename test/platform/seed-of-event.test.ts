import { afterAll, describe, expect, it } from "vitest";
import { makeMissing } from "../../local/console/try/do-action.ts";
import { createMemoryPlatform } from "../../local/platform/create-memory-platform.ts";
import { seedOfEvent } from "../../local/platform/seed-of-event.ts";
import { countRows } from "../../local/platform/store/database.ts";
import { findGroup, findMember, isBanned } from "../../local/platform/store/groups.ts";
import { derivedEvents } from "../../local/testing/events/derived-events.ts";
import { events } from "../../local/testing/events/events.ts";
import { loadFixtures } from "../helpers/events/fixtures.ts";

describe("seedOfEvent", () => {
  const platform = createMemoryPlatform();
  afterAll(() => platform.close());

  it.each(loadFixtures())("finds every user that %s names", (_name, body) => {
    const seed = seedOfEvent(body, "app-1");

    platform.add(seed);

    const known = seed.users.map(({ uid }) => uid);
    const uids = [...JSON.stringify(body).matchAll(/"uid":"([^"]+)"/g)].map(([, uid = ""]) => uid);
    expect([...known, "app_system"]).toEqual(expect.arrayContaining(uids));
  });

  it.each([
    { event: events.groupMemberJoined(), isMember: true, isShut: false },
    { event: events.groupMemberAdded(), isMember: true, isShut: false },
    { event: events.groupMemberLeft(), isMember: false, isShut: false },
    { event: events.groupMemberKicked(), isMember: false, isShut: false },
    { event: events.groupMemberBanned(), isMember: false, isShut: true },
    { event: events.groupMemberUnbanned(), isMember: false, isShut: false },
    { event: events.messageSent({ sender: "bela", guid: "chess-club" }), isMember: true, isShut: false },
  ])("determines the group's members after $event.trigger", async ({ event, isMember, isShut }) => {
    const platform = createMemoryPlatform();

    platform.add(seedOfEvent(event));

    const { db } = platform.services;
    const found = {
      isMember: findMember({ db, appId: "app-1" }, "chess-club", "bela") !== undefined,
      isShut: isBanned({ db, appId: "app-1" }, "chess-club", "bela"),
    };
    await platform.close();
    expect(found).toEqual({ isMember, isShut });
  });

  it("bans a user permanently, and removes the banned user from the group", async () => {
    const platform = createMemoryPlatform();
    const { services } = platform;
    const data = { db: services.db, appId: "app-1" };
    const message = events.messageSent({ sender: "bela", guid: "chess-club" });
    const ban = events.groupMemberBanned();
    const group = () => {
      const { membersCount } = findGroup(data, "chess-club") ?? {};
      const isMember = findMember(data, "chess-club", "bela") !== undefined;
      return { membersCount, isMember, isBanned: isBanned(data, "chess-club", "bela") };
    };

    for (const event of [message, ban, ban, message]) platform.add(seedOfEvent(event));

    expect(group()).toEqual({ membersCount: 1, isMember: false, isBanned: true });
    expect(makeMissing(services, "app-1", message)).toEqual([]);
    expect(countRows(data, "conversations", { uid: "bela" })).toBe(0);
    expect(seedOfEvent({ ...ban, data: { ...ban.data, ...message.data } }).groups).toMatchObject([
      { members: { ann: "admin" }, banned: ["bela"] },
    ]);
    await platform.close();
  });

  it("gives a member the changed scope", () => {
    const { groups } = seedOfEvent(events.groupMemberScopeChanged({ scope: "moderator" }));

    expect(groups).toMatchObject([{ members: { ann: "admin", bela: "moderator" } }]);
  });

  it("omits a deleted group", () => {
    expect(seedOfEvent(events.groupDeleted()).groups).toEqual([]);
  });

  it("finds the users of a derived event", () => {
    const { appId, users } = seedOfEvent(derivedEvents.callMissed());

    expect([appId, users.map(({ uid }) => uid)]).toEqual(["app-1", ["ann", "bela"]]);
  });

  it("prefers a user's name over the uid, wherever it is", () => {
    const { users } = seedOfEvent({
      appId: "a",
      data: { sender: "ann", entity: { uid: "ann", name: "Ann" } },
    });

    expect(users).toEqual([{ uid: "ann", name: "Ann" }]);
  });

  it("creates no user for the system user", () => {
    const { users } = seedOfEvent(events.messageSent({ sender: "app_system" }));

    expect(users.map(({ uid }) => uid)).toEqual(["bela"]);
  });

  it("refuses an event without an app", () => {
    expect(() => seedOfEvent({ trigger: "message_sent" })).toThrow(TypeError);
  });
});
