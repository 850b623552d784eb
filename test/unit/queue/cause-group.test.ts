import { describe, expect, it } from "vitest";
import { groupByCause } from "../../../lib/queue/cause-group.ts";
import { causeNameOf, commonCauseOf } from "../../../lib/queue/cause-name.ts";
import { isSelected } from "../../../lib/queue/set-aside.ts";

const letter = (id: string, cause: string, more: object = {}) => ({
  id,
  appId: "shop",
  trigger: "message_sent",
  reason: "permanent",
  cause,
  deliveryKey: undefined,
  receivedAt: 0,
  setAsideAt: Number(id),
  ...more,
});
const refused = (uid: string, more = "") =>
  `ChatApiError: send-message was refused with 404 ERR_UID_NOT_FOUND: The UID ${uid} does not exist.${more}`;

it.each([
  [refused("anna"), "ChatApiError: send-message was refused with 404 ERR_UID_NOT_FOUND"],
  [
    "ChatApiError (code ERR_X_Y, requestId 1-5f, status 404): no",
    "ChatApiError (code ERR_X_Y, status 404): no",
  ],
  [
    `Error: no ticket for 4711; caused by ${refused("bela")}`,
    "Error: no ticket for …; caused by ChatApiError: send-message was refused with 404 ERR_UID_NOT_FOUND",
  ],
  ["ChatApiError: ban-user was refused with 500: trouble 77", "ChatApiError: ban-user was refused with 500"],
  [
    "TypeError: Cannot read properties of undefined (reading 'uid')",
    "TypeError: Cannot read properties of undefined (reading 'uid')",
  ],
  ['Error: user "anna" of group_7 is gone', "Error: user … of … is gone"],
  ["Error: anna@example.com at https://example.com/a/b?key=c failed", "Error: … at … failed"],
  ["Error: Request failed. It said: secret words", "Error: Request failed."],
  [`Error: key ${"af09".repeat(10)} is refused`, "Error: key … is refused"],
  [
    'EffectBusyError: Effect "reply" (0f3c) is owned by another process until 2026-11-22T06:49:43.000Z.',
    "EffectBusyError: Effect … (…) is owned by another process until …",
  ],
  ["ChatApiError: ERR_UID_NOT_FOUND, the user support does not exist", "ChatApiError: ERR_UID_NOT_FOUND"],
  ["Error: answered with 404 (attempt 404)", "Error: answered with 404 (attempt …)"],
  ["Error: status 503 after 1503 ms, with 4040", "Error: status 503 after … ms, with …"],
  ["Error: lost requestId ab-cd,requestId ef", "Error: lost"],
  ["Error: 1, 2,3 \n  and   4", "Error: … and …"],
  ['TypeError: "a" is lost (effect "welcome ann")', 'TypeError: "a" is lost'],
  ["Error: It said: one\ntwo", "Error:"],
  ["ANSWER: MyError: no SyntaxError for 'anna'", "ANSWER: MyError: no SyntaxError for …"],
  [`Error: ${"a".repeat(60)} ${"b".repeat(61)}`, `Error: ${"a".repeat(60)} …`],
  ["Error: pre_group_x and a_user_b", "Error: pre_group_x and …"],
  [`Error: ${"word ".repeat(100)}`, `Error: ${"word ".repeat(100)}`.slice(0, 200)],
  [`Error: ${"x".repeat(993)} not read`, "Error: …"],
  ["", ""],
])("commonCauseOf omits the variable parts: %s", (cause, common) => {
  expect(commonCauseOf(cause)).toBe(common);
});

describe("causeNameOf", () => {
  it("begins with the code, or the error's name, or the reason", () => {
    const beginningOf = (cause: string, more: object = {}) =>
      causeNameOf(letter("1", cause, more)).replace(/-[0-9a-f]{6}$/, "");

    expect(beginningOf("ChatApiError: ERR_UID_NOT_FOUND")).toBe("ERR_UID_NOT_FOUND");
    expect(beginningOf("Error: no")).toBe("Error");
    expect(beginningOf("TypeError: no")).toBe("TypeError");
    expect(beginningOf("no TypeError")).toBe("permanent");
    expect(beginningOf("no", { reason: "too old!" })).toBe("tooold");
    expect(beginningOf("no", { reason: "…" })).toBe("cause");
    expect(beginningOf(`${"A".repeat(99)}_B`)).toBe("A".repeat(60));
  });

  it("stays stable between versions, because operators store it", () => {
    expect(causeNameOf(letter("1", refused("anna")))).toBe("ERR_UID_NOT_FOUND-3d9640");
  });
});

describe("groupByCause", () => {
  it("shows a group's latest dead letter in any input order, and sorts groups of equal size by it", () => {
    const groups = groupByCause([
      letter("3", "Error: a"),
      letter("1", "Error: a"),
      letter("9", "Error: b"),
      letter("2", "Error: b"),
    ]);

    expect(groups.map(({ exampleId, firstAt, lastAt }) => [exampleId, firstAt, lastAt])).toEqual([
      ["9", 2, 9],
      ["3", 1, 3],
    ]);
  });

  it("groups 900 dead letters of one cause, with the first time, the last time and an example", () => {
    const letters = Array.from({ length: 900 }, (_, index) =>
      letter(String(index), refused(`user-${index}`)),
    );

    expect(groupByCause(letters)).toEqual([
      {
        name: expect.stringMatching(/^ERR_UID_NOT_FOUND-[0-9a-f]{6}$/),
        cause: "ChatApiError: send-message was refused with 404 ERR_UID_NOT_FOUND",
        reason: "permanent",
        appId: "shop",
        trigger: "message_sent",
        failedTriggers: [],
        count: 900,
        firstAt: 0,
        lastAt: 899,
        exampleId: "899",
      },
    ]);
  });

  it("separates apps, triggers, reasons and causes, and lists the largest group first", () => {
    const groups = groupByCause([
      letter("1", refused("anna")),
      letter("2", refused("anna"), { appId: "school" }),
      letter("3", refused("anna"), { trigger: "message_edited" }),
      letter("4", refused("anna"), { reason: "patience" }),
      letter("5", "TypeError: no uid"),
      letter("6", "TypeError: no uid"),
    ]);

    expect(groups.map(({ count }) => count)).toEqual([2, 1, 1, 1, 1]);
    expect(new Set(groups.map(({ name }) => name)).size).toBe(5);
    expect(groups[0]).toMatchObject({ name: expect.stringMatching(/^TypeError-/), exampleId: "6" });
  });

  it("names a group in characters that can be typed, for any cause", () => {
    const causes = ["", "‮evil; rm -rf $HOME", "'`\"", "…", "x".repeat(900)];

    for (const cause of causes) expect(causeNameOf(letter("1", cause))).toMatch(/^[\w-]{1,70}$/);
  });

  it("selects a group by its name", () => {
    const cause = causeNameOf(letter("1", refused("anna")));

    expect(isSelected(letter("2", refused("bela")), { cause })).toBe(true);
    expect(isSelected(letter("3", refused("bela"), { appId: "school" }), { cause })).toBe(false);
    expect(isSelected(letter("4", "TypeError: no uid"), { cause })).toBe(false);
  });
});
