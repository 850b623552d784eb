import { describe, expect, it } from "vitest";
import { catalogue } from "../../../lib/events/catalogue.ts";
import { type EventFamily, type Identity, identify } from "../../../lib/events/identity.ts";
import { triggerNames } from "../../../lib/events/identity-rules.ts";
import { suggestTrigger } from "../../../lib/events/suggest-trigger.ts";
import { events } from "../../../local/testing/events/events.ts";
import { loadFixtures } from "../../helpers/events/fixtures.ts";

const entries = Object.entries(catalogue).flatMap(([trigger, { families }]) =>
  families.map((family): [string, EventFamily] => [trigger, family]),
);
const built = Object.values(events).map((build) => identified(build()));
const fixtures = loadFixtures().map(([, body]) => identified(body));

/** A message that is not stored yet has no id; only its whole body identifies it. */
const withoutKey = new Set(["before_message"]);

function identified(body: unknown): Identity | undefined {
  return identify(body, "app");
}

describe("catalogue", () => {
  it("has the same names as triggerNames", () => {
    expect(Object.keys(catalogue).toSorted()).toEqual([...triggerNames()].toSorted());
  });

  it.each(entries)(
    "has a sample and a builder for %s (%s), with a key and a stable lane",
    (trigger, family) => {
      const [sampled = [], made = []] = [fixtures, built].map((calls) =>
        calls.filter((call) => call?.trigger === trigger && call.family === family),
      );
      expect([sampled.length, made.length]).not.toContain(0);
      const keys = [...made, ...sampled].map((call) => call?.key);
      expect(keys.some((key) => key?.startsWith(`app|${trigger}||`))).toBe(withoutKey.has(trigger));
      expect(sampled[0]?.lane.split("|").at(-1)).not.toBe("");
      expect(sampled[0]?.lane).not.toContain(trigger);
    },
  );
});

describe("suggestTrigger", () => {
  it.each([
    ["message_new", ["message_sent"]],
    ["message_delivered", ["message_delivery_receipt"]],
    ["after_message_sent", ["message_sent"]],
    ["after_message_moderated", ["moderation_engine_approved", "moderation_engine_blocked"]],
    ["user_banned", ["group_member_banned"]],
    ["user_online", ["user_connection_status_changed"]],
    ["user_created", []],
    ["call_accepted", ["call_started"]],
    ["group_member_removed", ["group_member_kicked"]],
    ["messageSent", ["message_sent"]],
  ])("suggests the names for %s", (name, names) => {
    const suggestion = suggestTrigger(name);

    expect(suggestion?.names).toEqual(names);
    for (const right of names) expect(catalogue).toHaveProperty([right]);
  });

  it.each(["conversation_pinned", "poll_closed", "", "x".repeat(100_000), "__proto__"])(
    "suggests nothing for a name that may be new: %.20s",
    (name) => {
      expect(suggestTrigger(name)).toBeUndefined();
    },
  );

  it("suggests nothing for a right name", () => {
    for (const name of Object.keys(catalogue)) expect(suggestTrigger(name)).toBeUndefined();
  });
});
