import { describe, expect, it } from "vitest";
import { isGoingOn, outageRoomOf, readOutageRoom } from "../../../../lib/queue/lanes/outage-room.ts";

const outage = { destination: "for 7 api.example\nwrite", sinceMs: 1_700_000_000_000 };

describe("readOutageRoom", () => {
  it("reads the outage from the name of its room, whatever its destination is called", () => {
    expect(readOutageRoom(outageRoomOf(outage))).toEqual(outage);
  });

  it.each(["a-pause", "pause for 7 api.example", "for x api.example", "for 7 ", ""])(
    "knows a pause's room by its name: %j",
    (id) => {
      expect(readOutageRoom(id)).toBeUndefined();
    },
  );
});

it.each([
  ["goes on", { sinceMs: outage.sinceMs }, true],
  ["ended, and another one began", { sinceMs: outage.sinceMs + 1 }, false],
  ["ended", undefined, false],
])("isGoingOn compares when it began: it %s", (_case, known, goesOn) => {
  const outageOf = (destination: string) =>
    destination === outage.destination && known ? { ...known, isOpen: true } : undefined;

  expect(isGoingOn(outage, { outageOf })).toBe(goesOn);
});
