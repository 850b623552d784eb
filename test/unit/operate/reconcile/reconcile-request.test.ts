import { describe, expect, it } from "vitest";
import {
  ReconcileRequestError,
  readReconcileRequest,
} from "../../../../lib/operate/reconcile/reconcile-request.ts";
import { nowSeconds } from "./reconcile-world.ts";

const served = ["shop", "club"];
const read = (event: unknown) => readReconcileRequest(event, served, nowSeconds * 1000);

describe("readReconcileRequest", () => {
  it("recognizes the schedule's event", () => {
    expect(read({ scheduled: true })).toEqual({ kind: "schedule" });
  });

  it("defaults to all apps, and leaves out the last two minutes", () => {
    expect(read({ since: nowSeconds - 600 })).toEqual({
      kind: "by hand",
      appIds: served,
      span: { since: nowSeconds - 600, until: nowSeconds - 120 },
      rehearsal: false,
    });
  });

  it("accepts times with a zone and unix seconds", () => {
    const iso = new Date((nowSeconds - 600) * 1000).toISOString();

    const request = read({ since: iso, until: nowSeconds - 60.5, appIds: ["club", "club"], rehearsal: true });

    expect(request).toEqual({
      kind: "by hand",
      appIds: ["club"],
      span: { since: nowSeconds - 600, until: nowSeconds - 61 },
      rehearsal: true,
    });
  });

  it.each([
    ["2026-11-21T14:00+02:00", -1_800],
    ["2026-11-21T12:00:00.123456789Z", -1_800],
    ["2026-11-21T07:30:00-05:00", 0],
  ])("accepts the time %s", (since, offset) => {
    expect(read({ since, until: nowSeconds })).toMatchObject({ span: { since: nowSeconds + offset } });
  });

  it.each([
    "2026-11-21T12:00:00",
    "2026-11-21 12:00:00Z",
    "at 2026-11-21T12:00:00Z",
    "2026-11-21T12:00:00Z or later",
  ])("refuses the time %s", (since) => {
    expect(() => read({ since })).toThrow(/"since" must be a time with its zone, or unix seconds/);
  });

  it("names each invalid field", () => {
    const wrong = { since: nowSeconds - 600, until: true, appIds: [7] };

    expect(() => read(wrong)).toThrow("These fields are not as they must be: appIds.0, until. Write");
  });

  it("accepts at most five days", () => {
    const oldest = nowSeconds - 5 * 86_400;

    expect(read({ since: oldest })).toMatchObject({ span: { since: oldest } });
    expect(() => read({ since: oldest - 1 })).toThrow(/5 days/);
  });

  it.each([
    ["no object", "soon", /does not say what to do/],
    ["nothing", null, /does not say what to do/],
    ["an unknown field", { since: nowSeconds - 600, dryRun: true }, /unknown fields/],
    ["apps that are not a list", { since: nowSeconds - 600, appIds: "shop" }, /appIds/],
    ["no app", { since: nowSeconds - 600, appIds: [] }, /shop, club/],
    ["an app that is not served", { since: nowSeconds - 600, appIds: ["shop", "cafe"] }, /shop, club/],
    ["a beginning in the future", { since: nowSeconds + 1 }, /"since" lies in the future/],
    ["a text that is not a time", { since: "yesterday" }, /"since" must be a time/],
    ["a day that does not exist", { since: "2026-11-41T10:00:00Z" }, /"since" must be a time/],
    ["infinity", { since: Number.NEGATIVE_INFINITY }, /since/],
    ["milliseconds", { since: nowSeconds * 1000 - 600_000 }, /"since" must be in unix seconds/],
    ["a negative time", { since: -1 }, /"since" must be in unix seconds/],
    [
      "an end in the future",
      { since: nowSeconds - 600, until: nowSeconds + 1 },
      /"until" lies in the future/,
    ],
    ["an end before its beginning", { since: nowSeconds - 600, until: nowSeconds - 601 }, /before "until"/],
    ["the last minute without an end", { since: nowSeconds - 60 }, /2 minutes ago/],
    ["the schedule with another field", { scheduled: true, since: nowSeconds - 600 }, /unknown fields/],
  ])("refuses %s, and shows an example", (_case, event, problem) => {
    expect(() => read(event)).toThrow(ReconcileRequestError);
    expect(() => read(event)).toThrow(problem);
    expect(() => read(event)).toThrow(/\{"since": "/);
  });
});
