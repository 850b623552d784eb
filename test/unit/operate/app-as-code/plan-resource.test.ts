import { describe, expect, it } from "vitest";
import { planResource } from "../../../../lib/operate/app-as-code/plan-resource.ts";
import type {
  Fields,
  FoundResource,
  Kind,
  PlanSwitches,
} from "../../../../lib/operate/app-as-code/resource.ts";

const webhooks: Kind = {
  name: "webhook",
  rules: {
    password: { isSilent: true },
    once: { isSilent: true, isOnce: true },
    events: { list: "set" },
    triggers: { list: "members" },
  },
  required: ["url"],
  hasSecrets: true,
  connect: () => undefined,
};
const careful: PlanSwitches = { mayDelete: false, writesUnknown: false };

const plan = (
  fields: Fields,
  found: Fields | undefined,
  {
    switches = careful,
    kind = webhooks,
    twins,
  }: { switches?: PlanSwitches; kind?: Kind; twins?: number } = {},
) => {
  const resource: FoundResource | undefined = found && { id: "one", fields: found, ...(twins && { twins }) };
  const secretOf = async (name: string) => (name === "known" ? "s3cret" : undefined);
  return planResource({
    kind,
    resource: { kind: "webhook", id: "one", fields },
    found: resource,
    secretOf,
    switches,
  });
};
const password = { secret: "unknown" };

describe("planResource", () => {
  it.each([
    ["a field that it needs is not declared", { name: "A" }, [], ["url"]],
    ["a secret is missing", { url: "u", password }, ["unknown"], []],
  ])("blocks a creation if %s", async (_why, fields, missingSecrets, missing) => {
    const step = await plan(fields, undefined);

    expect(step).toMatchObject({ action: "blocked", missingSecrets, missingFields: missing });
  });

  it.each([
    ["a field that is needed to make it is not declared", { name: "A" }],
    ["a secret is missing", { name: "A", url: "u", password }],
  ])("does not block an update if %s", async (_why, fields) => {
    const shown = { name: "A", url: "u" };

    expect(await plan(fields, shown)).toMatchObject({ action: "keep", missingFields: [], target: {} });
    expect(await plan({ ...fields, name: "B" }, shown)).toMatchObject({
      action: "update",
      missingFields: [],
      target: { name: "B" },
    });
  });

  it.each([
    [
      "a field that cannot change differs",
      { fixed: "b" },
      { fixed: "a" },
      {},
      ["Its fixed cannot be changed"],
    ],
    [
      "two resources have this name",
      { name: "A" },
      { name: "A" },
      { twins: 2 },
      ["There are 2 of this name"],
    ],
  ])("blocks an update if %s", async (_why, fields, found, options, refusals) => {
    const kind = { ...webhooks, rules: { fixed: { isFixed: true } } };

    const step = await plan(fields, found, { kind, ...options });

    expect([step.action, step.refusals.map((refusal) => refusal.split(":")[0] ?? "")]).toEqual([
      "blocked",
      refusals.map((refusal) => expect.stringContaining(refusal)),
    ]);
    expect(await plan(found, found, { kind })).toMatchObject({ action: "keep", refusals: [] });
    expect(await plan({ ...found, url: "u" }, undefined, { kind })).toMatchObject({ action: "create" });
  });

  it("sends a secret only to a declared address", async () => {
    const kind = { ...webhooks, address: "url" };
    const secret = { secret: "known" };

    const steps = await Promise.all([
      plan({ name: "B", token: secret }, { name: "A", token: "old", url: "u" }, { kind }),
      plan({ name: "B", token: secret, url: "u" }, { name: "A", token: "old", url: "v" }, { kind }),
      plan({ name: "B", token: secret }, { name: "A", token: "s3cret", url: "u" }, { kind }),
      plan({ name: "A", password: secret }, { name: "A", url: "u" }, { kind }),
    ]);

    expect(steps.map(({ action, missingFields }) => [action, missingFields])).toEqual([
      ["blocked", ["url"]],
      ["update", []],
      ["update", []],
      ["keep", []],
    ]);
  });

  it("shows each part that is removed of a whole object", async () => {
    const kind = { ...webhooks, rules: { whole: { isWhole: true } } };

    const step = await plan({ whole: { a: { b: 1 } } }, { whole: { a: { b: 1, c: 2 }, d: 3 } }, { kind });

    expect(step.changes).toEqual([
      { field: "whole.a.c", before: 2, after: undefined },
      { field: "whole.d", before: 3, after: undefined },
    ]);
  });

  it("creates a missing resource with all declared fields, and shows no secret", async () => {
    const fields = { url: "u", password: { secret: "known" } };

    expect(await plan(fields, undefined)).toEqual({
      kind: webhooks,
      id: "one",
      action: "create",
      found: undefined,
      declared: fields,
      changes: [
        { field: "url", before: undefined, after: "u" },
        { field: "password", before: undefined, after: expect.not.stringContaining("s3cret") },
      ],
      unknown: [],
      kept: [],
      missingSecrets: [],
      missingFields: [],
      refusals: [],
      intended: { url: "u", password: "s3cret" },
      target: { url: "u", password: "s3cret" },
    });
  });

  it("writes hidden fields with other changes, and on their own only if asked to", async () => {
    const fields = { name: "A", password: { secret: "known" }, once: "o" };
    const all = { ...careful, writesUnknown: true };

    const alone = await plan(fields, { name: "A" });
    const along = await plan(fields, { name: "B" });
    const asked = await plan(fields, { name: "A" }, { switches: all });

    expect([alone.action, along.action, asked.action]).toEqual(["keep", "update", "update"]);
    expect(alone.unknown).toEqual(["password", "once"]);
    expect(alone.target).toEqual({});
    expect(along.target).toEqual({ name: "A", password: "s3cret" });
    expect(asked.target).toEqual({ password: "s3cret", once: "o" });
    expect(alone.changes).toEqual([]);
    expect(along.changes).toEqual([{ field: "name", before: "B", after: "A" }]);
    expect(asked.changes.map(({ field }) => field)).toEqual(["password", "once"]);
    expect(asked.kept).toEqual([]);
  });

  it("does not write a field whose secret is missing, even if asked to write hidden fields", async () => {
    const all = { ...careful, writesUnknown: true };
    const shown = { name: "A", password: "p" };

    const step = await plan({ name: "A", password }, shown, { switches: all });
    const along = await plan({ name: "B", password }, shown, { switches: all });

    expect(step).toMatchObject({ action: "keep", unknown: [], missingSecrets: ["unknown"], changes: [] });
    expect(step.target).toEqual({});
    expect(along.target).toEqual({ name: "B" });
    expect(along.changes).toEqual([{ field: "name", before: "A", after: "B" }]);
  });

  it("recognizes a masked value only in a secret's field", async () => {
    const masked = await plan({ password: { secret: "known" } }, { password: "****" });
    const text = await plan({ name: "new" }, { name: "Rules\n***\nBe kind" });

    expect([masked.action, masked.unknown]).toEqual(["keep", ["password"]]);
    expect([text.action, text.target]).toEqual(["update", { name: "new" }]);
  });

  it("creates a resource without required fields, and writes missing fields", async () => {
    const { required: _none, ...kind } = webhooks;

    expect(await plan({ name: "A" }, undefined, { kind })).toMatchObject({
      action: "create",
      missingFields: [],
    });
    expect(await plan({ name: "A", password: "p" }, { password: "p" })).toMatchObject({
      action: "update",
      unknown: [],
    });
  });

  it("looks at the order of a list unless it is a set", async () => {
    const reversed = { events: ["b", "a"], order: ["b", "a"] };

    expect((await plan({ events: ["a", "b"] }, reversed)).action).toBe("keep");
    expect((await plan({ order: ["a", "b"] }, reversed)).action).toBe("update");
  });

  it("keeps members that are not declared unless they may be deleted", async () => {
    const fields = { triggers: ["a", "a", "c"] };
    const shown = { triggers: ["b", "a"] };

    const careless = await plan(fields, shown, { switches: { ...careful, mayDelete: true } });
    const step = await plan(fields, shown);
    const first = await plan(fields, {});
    const same = await plan({ triggers: ["a"] }, shown, { switches: { ...careful, writesUnknown: true } });

    expect([careless.target, careless.kept]).toEqual([{ triggers: ["a", "c"] }, []]);
    expect([step.target, step.kept]).toEqual([{ triggers: ["a", "c", "b"] }, ["triggers: b"]]);
    expect(JSON.stringify(step.changes)).toContain('"after":["a","c","b"]');
    expect([first.target, first.kept]).toEqual([{ triggers: ["a", "c"] }, []]);
    expect([same.action, same.kept, same.changes]).toEqual(["keep", ["triggers: b"], []]);
  });

  it("shows references in place of secrets, also within a field", async () => {
    const settings = { token: { secret: "known" }, plain: "a" };

    const step = await plan({ settings }, { settings: { token: "old", plain: "b" } });

    expect(step.target).toEqual({ settings: { token: "s3cret", plain: "a" } });
    expect(step.changes.map(({ field }) => field)).toEqual(["settings.token", "settings.plain"]);
    expect(step.changes[1]).toEqual({ field: "settings.plain", before: "b", after: "a" });
    expect(JSON.stringify(step.changes)).not.toMatch(/s3cret|old/);
  });

  it("reads no reference in a kind without secrets, and names paths within a field", async () => {
    const plain: Kind = { ...webhooks, hasSecrets: false };
    const settings = { deep: { a: 1, b: 2 }, ref: { secret: "known" } };

    const step = await plan(settings, { deep: { a: 1, b: 3 }, ref: { secret: "known" } }, { kind: plain });

    expect(step).toMatchObject({
      action: "update",
      changes: [{ field: "deep.b", before: 3, after: 2 }],
      target: { deep: { a: 1, b: 2 } },
    });
  });
});
