import { describe, expect, it } from "vitest";
import { seenIn } from "../../../lib/events/conditions/seen.ts";
import { keyPartition, keysIn, keysOf } from "../../../lib/flows/wait-keys.ts";
import { events } from "../../../local/testing/events/events.ts";
import { eventOf } from "../../helpers/events/event-of.ts";

describe("the keys of a question", () => {
  it.each([
    ["message", { messageId: "7", sender: "ann" }, ["message 7"]],
    ["thread", { parentId: "7" }, ["message 7"]],
    ["sender, in any case", { conversation: "c", sender: "Ann" }, ["sender ann"]],
    ["ten senders", { sender: Array.from("0123456789") }, Array.from("0123456789", (uid) => `sender ${uid}`)],
    ["several senders", { sender: ["ann", "Bela", "ann"] }, ["sender ann", "sender bela"]],
    ["conversation", { sender: { not: "ann" }, conversation: "group_G" }, ["conversation group_g"]],
    ["receiver", { receiver: "Bela" }, ["place bela"]],
    ["group", { group: "Lobby", sender: { not: "ann" } }, ["place lobby"]],
  ])("are its %s", (_what, where, expected) => {
    expect(keysOf(where).map(({ kind, value }) => `${kind} ${value}`)).toEqual(expected);
  });

  it.each([
    ["nothing", {}],
    ["no conditions", undefined],
    ["a group's pattern", { group: "support-*" }],
    ["others than one", { sender: { not: "ann" } }],
    ["more than ten", { sender: Array.from({ length: 11 }, String) }],
    ["an empty list", { sender: [] }],
    ["what is no text", { sender: ["ann", 7] }],
    ["words", { text: { words: ["yes"] }, type: "text" }],
  ])("are empty if it names %s", (_what, where) => {
    expect(keysOf(where)).toEqual([]);
  });
});

describe("the keys of an event", () => {
  const keysOfEvent = (body: object) =>
    keysIn(seenIn(eventOf(body))).map(({ kind, value }) => `${kind} ${value}`);

  it("are its message, sender, conversation and receiver", () => {
    const body = events.messageSent({ id: "7", sender: "Ann", guid: "Lobby" });

    expect(keysOfEvent(body)).toEqual(["message 7", "sender ann", "conversation group_lobby", "place lobby"]);
  });

  it("distinguish a group from a receiver of the same name", () => {
    const keys = keysIn({ receiver: "Bela", group: "Lobby" });

    expect(keys.map(({ kind, value }) => `${kind} ${value}`)).toEqual(["place bela", "place lobby"]);
  });

  it("are a reaction's message and its user", () => {
    const body = events.messageReactionAdded({ messageId: "7", uid: "Chief" });

    expect(keysOfEvent(body)).toEqual(["message 7", "sender chief"]);
  });

  it("name one partition for one value of any length, and a different one for each app and kind", () => {
    const long = "x".repeat(5_000);
    const names = [
      keyPartition("app-1", { kind: "sender", value: long }),
      keyPartition("app-1", { kind: "place", value: long }),
      keyPartition("app-2", { kind: "sender", value: long }),
    ].map(({ waits }) => waits);

    expect(new Set(names).size).toBe(3);
    expect(Math.max(...names.map(({ length }) => length))).toBeLessThan(100);
  });
});
