import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isRecord } from "../../../lib/base/json.ts";
import { catalogue } from "../../../lib/events/catalogue.ts";
import { identify } from "../../../lib/events/identity.ts";
import { type Path, withField } from "../../helpers/events/change-field.ts";
import { factPaths, furtherFields } from "../../helpers/events/fact-paths.ts";
import { loadFixtures } from "../../helpers/events/fixtures.ts";
import { runs } from "../../helpers/property-runs.ts";

type Body = Readonly<Record<string, unknown>>;

/** A message that is not stored yet is only queried, never reported: its whole body is its key. */
const withoutKey = new Set(["legacy before_message"]);
/** These fields determine an event's form. */
const structure = new Set(["message_deleted message.data.action"]);

const samples = loadFixtures()
  .map(([name, body]) => ({ name, body: enriched(body), kind: kindOf(body) }))
  .filter(({ kind }) => !withoutKey.has(kind));

describe.each(samples)("the key of $name", ({ body, kind }) => {
  const root = kind === "extension email-extension" ? "body" : "data";
  const leaves = leavesOf(body[root]).filter(
    (path) => !structure.has(`${String(body.trigger)} ${path.join(".")}`),
  );
  const facts = leaves.filter((path) => isFact(path, kind, leaves));
  const snapshots = leaves.filter((path) => !facts.includes(path));

  it("changes with each field that makes the occurrence", () => {
    expect(facts.length).toBeGreaterThan(0);

    fc.assert(
      fc.property(fc.constantFrom(...facts), otherLeaf(), (path, value) => {
        const changed = withField(body, [root, ...path], value);

        expect(keyOf(changed), path.join(".")).not.toBe(keyOf(body));
      }),
      runs(20),
    );
  });

  it("does not change with fields that only describe the time of delivery", () => {
    const change = fc.record({ which: fc.nat(), value: fc.option(otherLeaf(), { nil: undefined }) });

    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
        const changed = changes.reduce((inner: unknown, { which, value }) => {
          const path = snapshots[which % snapshots.length];
          return path === undefined ? inner : withField(inner, [root, ...path], value);
        }, body);

        expect(keyOf(changed), JSON.stringify(changed)).toBe(keyOf(body));
      }),
      runs(20),
    );
  });

  it("does not change with new fields, another order or another webhook", () => {
    const another = body.webhook === undefined ? {} : { webhook: "another" };
    const more = { ...reversed(body), ...another, region: "in", novelty: { counter: 5 } };

    expect(keyOf(withNovelties(more))).toBe(keyOf(body));
  });
});

describe("the keys of all triggers", () => {
  it("are covered: each trigger of the catalogue has its fields in the table, and a sample with each of them", () => {
    const kinds = Object.entries(catalogue).flatMap(([trigger, { families }]) =>
      families.map((family) => `${family} ${trigger}`),
    );
    const optional = /messageObject/;
    const unseen = Object.entries(factPaths).flatMap(([kind, paths]) => {
      const leaves = samples
        .filter((sample) => sample.kind === kind)
        .map(({ body }) => leavesOf(body.data ?? body.body));
      return paths
        .filter((path) => !optional.test(path))
        .filter((path) => !leaves.some((list) => list.some((leaf) => matchesAny(leaf, path.split("|")))))
        .map((path) => `${kind}: ${path}`);
    });

    expect(Object.keys(factPaths).toSorted()).toEqual(
      kinds.filter((kind) => !withoutKey.has(kind)).toSorted(),
    );
    expect(unseen).toEqual([]);
  });

  it.each([
    ["user_blocked", "users"],
    ["user_unblocked", "users"],
    ["user_mentioned", "message.data.mentions"],
    ["group_member_added", "members"],
    ["group_member_joined", "members"],
    ["group_member_left", "members"],
    ["group_member_kicked", "members"],
    ["group_member_banned", "members"],
    ["group_member_unbanned", "members"],
    ["group_member_scope_changed", "members"],
  ])("%s: change with the people that the event is about", (trigger, path) => {
    const { body } = samples.find((sample) => sample.body.trigger === trigger) ?? { body: {} };
    const map = ["data", ...path.split(".")];

    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (uid) => {
        fc.pre(uid !== "__proto__");
        const joined = withField(body, [...map, uid], { name: "Somebody" });
        const alone = withField(body, map, { [uid]: { name: "Somebody" } });

        expect(new Set([body, joined, alone].map(keyOf)).size).toBe(3);
      }),
      runs(20),
    );
  });
});

function keyOf(body: unknown) {
  return identify(body, "app")?.key;
}

function kindOf(body: Body) {
  const identity = identify(body, "app");
  return `${identity?.family} ${identity?.trigger}`;
}

function enriched(body: Body): Body {
  const isActionForm = readField(readField(body.data, "message"), "category") === "action";
  const further = furtherFields[isActionForm ? `${kindOf(body)}, action` : kindOf(body)];
  return further === undefined ? body : { ...body, data: merged(body.data, further) };
}

/** The sample's own fields take precedence. */
function merged(value: unknown, further: unknown): unknown {
  if (!isRecord(value) || !isRecord(further)) return value ?? further;
  const names = new Set([...Object.keys(value), ...Object.keys(further)]);
  return Object.fromEntries([...names].map((name) => [name, merged(value[name], further[name])]));
}

function isFact(leaf: Path, kind: string, leaves: readonly Path[]) {
  return (factPaths[kind] ?? []).some((pattern) => {
    const present = pattern.split("|").find((path) => leaves.some((other) => matches(other, path)));
    return present !== undefined && matches(leaf, present);
  });
}

function matchesAny(leaf: Path, patterns: readonly string[]) {
  return patterns.some((pattern) => matches(leaf, pattern));
}

function matches(leaf: Path, pattern: string) {
  const names = pattern.split(".");
  const isDeep = names.at(-1) === "**";
  if (isDeep ? leaf.length < names.length : leaf.length !== names.length) return false;
  return names.every((name, index) => name === "*" || name === "**" || name === leaf[index]);
}

function leavesOf(value: unknown, path: Path = []): Path[] {
  if (value === null || typeof value !== "object") return [path];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

/** No sample has one of these values anywhere. */
function otherLeaf() {
  return fc.oneof(
    fc.string({ minLength: 1, maxLength: 12 }).map((text) => `other ${text}`),
    fc.integer({ min: 4_000_000_000, max: 9_000_000_000_000 }),
  );
}

function readField(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function reversed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reversed) as T;
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, inner]) => [name, reversed(inner)]),
  ) as T;
}

/** Adds an unknown field to every object of the platform, except to maps of users. */
function withNovelties(body: Body): Body {
  const add = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((inner) => add(inner, ""));
    if (!isRecord(value) || ["metadata", "customData"].includes(name)) return value;
    const inner = Object.fromEntries(Object.entries(value).map(([key, field]) => [key, add(field, key)]));
    return ["users", "members", "mentions", ""].includes(name) ? inner : { ...inner, unreadNovelties: 7 };
  };
  return {
    ...body,
    data: add(body.data, "data"),
    ...(body.body === undefined ? {} : { body: add(body.body, "") }),
  };
}
