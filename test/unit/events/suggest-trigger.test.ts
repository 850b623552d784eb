import { describe, expect, it } from "vitest";
import { catalogue } from "../../../lib/events/catalogue.ts";
import { suggestTrigger } from "../../../lib/events/suggest-trigger.ts";

describe("suggestTrigger", () => {
  it.each([
    ["message_new", ["message_sent"]],
    ["message.new", ["message_sent"]],
    ["message_delivered", ["message_delivery_receipt"]],
    ["message_read", ["message_read_receipt"]],
    ["on_message_sent", ["message_sent"]],
    ["after_message_sent", ["message_sent"]],
    ["after_message_moderated", ["moderation_engine_approved", "moderation_engine_blocked"]],
    ["message_flagged", ["moderation_engine_blocked"]],
    ["message_blocked", ["moderation_engine_blocked"]],
    ["user_banned", ["group_member_banned"]],
    ["user_online", ["user_connection_status_changed"]],
    ["user_offline", ["user_connection_status_changed"]],
    ["user_created", []],
    ["user_updated", []],
    ["call_accepted", ["call_started"]],
    ["group_member_removed", ["group_member_kicked"]],
    ["messageSent", ["message_sent"]],
    ["message-edit", ["message_edited"]],
    ["group_member_join", ["group_member_joined"]],
  ])("knows what %s means", (name, names) => {
    const suggestion = suggestTrigger(name);

    expect(suggestion?.names).toEqual(names);
    for (const right of names) expect(catalogue).toHaveProperty([right]);
  });

  it.each(["conversation_pinned", "poll_closed", "", "x".repeat(100_000), "__proto__"])(
    "says nothing about a name that may be new: %.20s",
    (name) => {
      expect(suggestTrigger(name)).toBeUndefined();
    },
  );

  it("says nothing about a right name", () => {
    for (const name of Object.keys(catalogue)) expect(suggestTrigger(name)).toBeUndefined();
  });
});
