import { describe, expect, it } from "vitest";
import { isGoingOn, outageRoomOf, readOutageRoom } from "../../../../lib/queue/lanes/outage-room.ts";

const outage = { destination: "for 7 api.example\nwrite", sinceMs: 1_700_000_000_000 };

describe("readOutageRoom", () => {
  it("reads the outage from its room's name, for any destination", () => {
    expect(readOutageRoom(outageRoomOf(outage))).toEqual(outage);
  });

  it.each(["a-pause", "pause for 7 api.example", "for x api.example", "for 7 ", ""])(
    "returns undefined for the name of another room: %j",
    (id) => {
      expect(readOutageRoom(id)).toBeUndefined();
    },
  );
});

it.each([
  ["continues", { sinceMs: outage.sinceMs }, true],
  ["ended, and another one began", { sinceMs: outage.sinceMs + 1 }, false],
  ["ended", undefined, false],
])("isGoingOn compares the start: the outage %s", (_case, known, goesOn) => {
  const outageOf = (destination: string) =>
    destination === outage.destination && known ? { ...known, isOpen: true } : undefined;

  expect(isGoingOn(outage, { outageOf })).toBe(goesOn);
});
