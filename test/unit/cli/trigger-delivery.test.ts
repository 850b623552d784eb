import { describe, expect, it } from "vitest";
import { CliError } from "../../../cli/cli-error.ts";
import { freshDelivery, readSampleEvents, setFields } from "../../../cli/trigger/fresh-delivery.ts";
import { catalogue } from "../../../lib/events/catalogue.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";

const options = {
  appId: "my-app",
  region: "in",
  nowMs: 2_000_000_000_000,
  newId: (old: string) => `new ${old}`,
};

describe("freshDelivery", () => {
  it("shifts all times so that the latest is now, in any unit", () => {
    const fresh = freshDelivery(
      {
        data: {
          sentAt: 1_727_934_912,
          editedAt: 1_727_934_922,
          at: 1_727_934_902_500,
          timestamp: "1727934912",
        },
      },
      options,
    );

    expect(fresh).toEqual({
      data: {
        sentAt: 1_999_999_990,
        editedAt: 2_000_000_000,
        at: 1_999_999_980_500,
        timestamp: "1999999990",
      },
    });
  });

  it("replaces ids consistently, and keeps users, rules and amounts", () => {
    const sample = {
      data: {
        message: { id: "1", sender: "ann", data: { entities: { on: { entity: { id: "1", uid: "ann" } } } } },
        failures: [{ context: { rule: { id: "a-rule" } } }],
        size: 350,
      },
    };

    expect(freshDelivery(sample, options)).toEqual({
      data: {
        message: {
          id: "new 1",
          sender: "ann",
          data: { entities: { on: { entity: { id: "new 1", uid: "ann" } } } },
        },
        failures: [{ context: { rule: { id: "a-rule" } } }],
        size: 350,
      },
    });
  });

  it("sets the target app, and the region if the sample has one", () => {
    expect(freshDelivery({ appId: "app-1", region: "eu", data: { appId: "app-1" } }, options)).toEqual({
      appId: "my-app",
      region: "in",
      data: { appId: "my-app" },
    });
    expect(freshDelivery({ appId: "app-1" }, options)).toEqual({ appId: "my-app" });
  });

  it("removes the webhook, so that the receiver does not see a second one", () => {
    expect(freshDelivery({ trigger: "message_sent", webhook: "a-sample" }, options)).toEqual({
      trigger: "message_sent",
    });
  });
});

describe("a sample", () => {
  const samples = readSampleEvents();

  it.each(Object.keys(catalogue))("exists for %s, and is parsed with fresh times", (event) => {
    const ofEvent = samples.filter(({ trigger }) => trigger === event);

    const parsed = ofEvent.map(({ body }) => parseEvent(freshDelivery(body, options), { appId: "my-app" }));

    expect(parsed.length).toBeGreaterThan(0);
    expect(parsed.filter(({ ok }) => !ok)).toEqual([]);
  });
});

describe("setFields", () => {
  const body = { data: { text: "7", count: 7, list: [{ uid: "a" }], nothing: null } };

  it.each([
    ["a text as typed", "data.text=8", { text: "8" }],
    ["another value as JSON", "data.count=8", { count: 8 }],
    ["invalid JSON as a text", "data.count=many", { count: "many" }],
    ["a missing field, with its parents", "data.a.b=true", { a: { b: true } }],
    ["a place in a list", "data.list.0.uid=b", { list: [{ uid: "b" }] }],
    ["a new last item", 'data.list.1={"uid":"b"}', { list: [{ uid: "a" }, { uid: "b" }] }],
    ["a value with an equals sign", "data.text=a=b", { text: "a=b" }],
    ["an empty text", "data.text=", { text: "" }],
  ])("sets %s", (_what, setting, expected) => {
    expect(setFields(body, [setting])).toEqual({ data: { ...body.data, ...expected } });
  });

  it("sets a field named __proto__ without changing the prototype", () => {
    const changed = setFields({}, ["__proto__.isAdmin=true"]);

    expect(Object.hasOwn(changed, "__proto__")).toBe(true);
    expect(Object(changed).isAdmin).toBeUndefined();
    expect(Object({}).isAdmin).toBeUndefined();
  });

  it.each(["text", "=x", "data.text.inner=x", "data.list.2.uid=x", "data.list.first=x"])(
    "refuses %s",
    (setting) => {
      expect(() => setFields(body, [setting])).toThrow(CliError);
    },
  );
});
