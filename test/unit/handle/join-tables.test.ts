import { describe, expect, it } from "vitest";
import { joinTables } from "../../../lib/handle/enabled-triggers.ts";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";

const trigger = onTrigger("message_sent", async () => undefined);

describe("joinTables", () => {
  it("runs the team's own triggers first, each table in its order", () => {
    const joined = joinTables({ watch: trigger, lead: trigger }, { welcome: trigger, escalate: trigger });

    expect(Object.keys(joined)).toEqual(["watch", "lead", "welcome", "escalate"]);
  });

  it("refuses a name that both tables have, before anything runs under it", () => {
    const join = () => joinTables({ lead: trigger, welcome: trigger }, { welcome: trigger });

    expect(join).toThrow('functions/own/triggers.ts names a trigger "welcome"');
  });

  it("accepts a name that every object has as a property", () => {
    expect(Object.keys(joinTables({ constructor: trigger }, { welcome: trigger }))).toEqual([
      "constructor",
      "welcome",
    ]);
  });
});
