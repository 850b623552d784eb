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
  it("moves all moments so that the latest is now, whatever they count in", () => {
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

  it("gives new ids, the same for the same, and leaves people, rules and amounts as they are", () => {
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

  it("says the app and the region that it is sent to, a region where the sample has one", () => {
    expect(freshDelivery({ appId: "app-1", region: "eu", data: { appId: "app-1" } }, options)).toEqual({
      appId: "my-app",
      region: "in",
      data: { appId: "my-app" },
    });
    expect(freshDelivery({ appId: "app-1" }, options)).toEqual({ appId: "my-app" });
  });

  it("names no webhook, as the receiver would take the sample's for a second one", () => {
    expect(freshDelivery({ trigger: "message_sent", webhook: "a-sample" }, options)).toEqual({
      trigger: "message_sent",
    });
  });
});

describe("a sample", () => {
  const samples = readSampleEvents();

  it.each(Object.keys(catalogue))("is there for %s, and is understood when it is fresh", (event) => {
    const ofEvent = samples.filter(({ trigger }) => trigger === event);

    const parsed = ofEvent.map(({ body }) => parseEvent(freshDelivery(body, options), { appId: "my-app" }));

    expect(parsed.length).toBeGreaterThan(0);
    expect(parsed.filter(({ ok }) => !ok)).toEqual([]);
  });
});

describe("setFields", () => {
  const body = { data: { text: "7", count: 7, list: [{ uid: "a" }], nothing: null } };

  it.each([
    ["a text, whatever is typed", "data.text=8", { text: "8" }],
    ["what is no text, as JSON", "data.count=8", { count: 8 }],
    ["what is no JSON, as a text", "data.count=many", { count: "many" }],
    ["what was not there, with all that leads to it", "data.a.b=true", { a: { b: true } }],
    ["a place in a list", "data.list.0.uid=b", { list: [{ uid: "b" }] }],
    ["the place behind the last one", 'data.list.1={"uid":"b"}', { list: [{ uid: "a" }, { uid: "b" }] }],
    ["a value with the sign in it", "data.text=a=b", { text: "a=b" }],
    ["nothing at all", "data.text=", { text: "" }],
  ])("sets %s", (_what, setting, expected) => {
    expect(setFields(body, [setting])).toEqual({ data: { ...body.data, ...expected } });
  });

  it("sets a field that is called as a prototype is, and nothing else", () => {
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
