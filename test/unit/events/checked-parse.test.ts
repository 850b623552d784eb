import { describe, expect, it } from "vitest";
import { identifyAny, parseAnyEvent, suggestForTrigger } from "../../../lib/events/checked-parse.ts";
import { identify } from "../../../lib/events/identity.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import { events } from "../../../local/testing/events/events.ts";

const body: unknown = JSON.parse(JSON.stringify(events.messageSent({ text: "Grüße" })));

/** The error that a call is refused with. */
const refusalOf = (operation: string, field: string) =>
  expect.objectContaining({ name: "InvalidInputError", operation, field });

function holdingItself(): object {
  const deep: Record<string, unknown> = { trigger: "message_sent", data: { list: [{}] } };
  deep.data = { list: [{ deep }] };
  return deep;
}

/** Deeper than functions can call each other. */
function nested(levels: number): unknown {
  let value: unknown = "end";
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

describe("parseAnyEvent", () => {
  const found = { key: "key", canRecur: false, lane: "lane" };

  // One test, as the first call makes the schema.
  it("reads as the deployed functions do, with a delivery's context, and refuses an invalid context", () => {
    const contexts = [undefined, {}, { appId: "app-1", receivedAt: 1_760_000_000_000 }, { found }];
    const wrongOnes: readonly [unknown, string][] = [
      [null, "context"],
      ["app-1", "context"],
      [{ appId: 7 }, "appId"],
      [{ appid: "app-1" }, "appid"],
      [{ receivedAt: new Date() }, "receivedAt"],
      [{ found: { key: 7, canRecur: false } }, "found.key"],
      [{ found: { key: "key" } }, "found.canRecur"],
    ];

    for (const context of contexts) {
      expect(parseAnyEvent(body, context)).toEqual(parseEvent(body, context ?? {}));
    }
    for (const [context, field] of wrongOnes) {
      const call = () => Reflect.apply(parseAnyEvent, undefined, [body, context]);
      expect(call).toThrow(refusalOf("parseEvent", field));
    }
    expect(parseAnyEvent(body).ok).toBe(true);
  });

  it("refuses a body that is not a JSON value", () => {
    expect(() => parseAnyEvent(holdingItself())).toThrow(refusalOf("parseEvent", "body"));
  });
});

describe("identifyAny", () => {
  it.each([undefined, "app-1", "app-2"])(
    "identifies the occurrence as the deployed functions do, for %s",
    (appId) => {
      expect(identifyAny(body, appId)).toEqual(identify(body, appId));
      expect(identifyAny(body, appId)).toBeDefined();
    },
  );

  it.each([null, 7, "text", [], {}])("returns undefined for %j", (value) => {
    expect(identifyAny(value)).toBeUndefined();
  });

  it("refuses an app ID that is not a text", () => {
    expect(() => identifyAny(body, Object(7))).toThrow(refusalOf("identify", "verifiedAppId"));
  });

  const itself: unknown[] = [];
  itself.push(itself);

  it.each([
    ["an object", holdingItself],
    ["a list", () => itself],
    ["a part of it", () => ({ trigger: "x", data: { itself } })],
    ["its last part", () => [1, null, "text", { a: 1 }, itself]],
  ])("refuses a value that holds itself: %s", (_which, make) => {
    expect(() => identifyAny(make())).toThrow(
      expect.objectContaining({
        message: 'Cannot call identify: "body" must be a JSON value, which cannot hold itself.',
      }),
    );
  });

  it("accepts a value that holds one object twice without a cycle, at any depth", () => {
    const user = { uid: "ann", tags: [] };
    const twice = { trigger: "user_blocked", data: { by: user, users: { ann: user, also: [user, [user]] } } };

    expect(identifyAny(twice)).toEqual(identify(structuredClone(twice)));
    expect(identifyAny({ deep: nested(20_000) })).toBeUndefined();
  });

  it("refuses a value that throws when it is read", () => {
    const trap = {
      get trigger() {
        throw new Error("not yours");
      },
    };

    expect(() => identifyAny(trap)).toThrow(refusalOf("identify", "body"));
  });
});

it("suggestForTrigger refuses a name that is not a text", () => {
  expect(() => suggestForTrigger(Object(7))).toThrow(refusalOf("suggestTrigger", "name"));
});
