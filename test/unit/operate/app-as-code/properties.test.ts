import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extensionIds } from "../../../../lib/chat/management/extension-settings.ts";
import { startApps } from "../../../helpers/app-apis.ts";
import { runs } from "../../../helpers/property-runs.ts";

const id = fc.stringMatching(/^[a-z][a-z0-9]{0,3}$/);
const words = fc
  .string({ minLength: 1, maxLength: 20, unit: "grapheme" })
  .filter((text) => text.trim() === text && text !== "");
const term = words.filter((text) => text.isWellFormed() && !/\p{C}|\p{Zl}|\p{Zp}/u.test(text));
const listOf = <T extends Record<Key, string>, Key extends string>(item: fc.Arbitrary<T>, key: Key) =>
  fc.uniqueArray(item, { selector: (value) => value[key], maxLength: 4 });

const contents = fc.record({
  "moderation-reasons": fc.record({
    reasons: listOf(
      fc.record({ id, name: words, description: fc.string() }, { requiredKeys: ["id", "name"] }),
      "id",
    ),
  }),
  "keyword-lists": fc.record({
    lists: listOf(
      fc.record({
        id,
        name: words,
        category: fc.constantFrom("word", "pattern", "sentence-similarity"),
        terms: fc.uniqueArray(term, { minLength: 1, maxLength: 4 }),
      }),
      "id",
    ),
  }),
  "moderation-rules": fc.record({
    rules: listOf(
      fc.record(
        {
          id,
          name: words,
          enabled: fc.boolean(),
          action: fc.constantFrom(["blockMessage"], ["dropMessage"]),
          conditions: fc.array(
            fc.record({
              operand: fc.constantFrom("text", "custom"),
              operator: fc.constantFrom("contains", "equals"),
              category: fc.constant("word"),
              value: fc.oneof(words, fc.uniqueArray(words, { minLength: 1, maxLength: 3 })),
            }),
            { maxLength: 3 },
          ),
        },
        { requiredKeys: ["id", "name"] },
      ),
      "id",
    ),
  }),
  roles: fc.record({
    roles: listOf(
      fc.record(
        {
          role: id,
          name: words,
          description: fc.string({ maxLength: 20 }),
          metadata: fc.dictionary(id, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
          settings: fc.record({ listUsers: fc.constantFrom("all", "friendsOnly") }),
          restricted: fc.uniqueArray(fc.constantFrom("createGroup", "listUsers", "u.deleteGroup"), {
            maxLength: 3,
          }),
        },
        { requiredKeys: ["role", "name"] },
      ),
      "role",
    ),
  }),
  settings: fc.record({
    settings: fc.dictionary(
      fc.constantFrom("core.conversations.updateOnReplies", "core.notifications.push.enabled"),
      fc.boolean(),
    ),
  }),
  extensions: fc.record({
    extensions: fc.dictionary(
      fc.constantFrom(...extensionIds.filter((name) => name !== "widget")),
      fc.record({ enabled: fc.boolean() }),
      { maxKeys: 4 },
    ),
  }),
  webhooks: fc.record({
    webhooks: listOf(
      fc.record(
        {
          id,
          name: words,
          enabled: fc.boolean(),
          triggers: fc.uniqueArray(fc.constantFrom("message_sent", "message_edited", "group_created"), {
            maxLength: 3,
          }),
        },
        { requiredKeys: ["id"] },
      ),
      "id",
    ),
  }),
});

describe("any declared content", () => {
  it("is applied, exported and applied to a second app without a difference", {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(contents, contents, async (first, second) => {
        const { platform, apisOf } = startApps();
        const [one, two] = [apisOf("one"), apisOf("two")];
        await platform.clock.advance(60_000);

        await one.apply(first);
        const outcomes = await one.apply(second, { switches: { mayDelete: true } });
        const left = await one.toDo(second, { switches: { mayDelete: true } });
        const exported = await one.contents();
        await two.apply(exported);

        expect(outcomes.filter((outcome) => "cause" in outcome)).toEqual([]);
        expect(left).toEqual([]);
        expect(await one.toDo(exported)).toEqual([]);
        expect(await two.contents()).toEqual(exported);
      }),
      runs(3),
    );
  });
});
