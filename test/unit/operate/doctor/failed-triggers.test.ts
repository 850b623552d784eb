import { expect, it } from "vitest";
import type { DeployedFacts } from "../../../../lib/operate/doctor/deployed-facts.ts";
import { failedTriggersOf } from "../../../../lib/operate/doctor/failed-triggers.ts";

const names = ["greet", "log", "missed"];
const needs = {
  appIds: ["shop"],
  webhook: { message_sent: ["greet"], call_cancelled: ["missed", "flow x"] },
  elsewhere: {},
  everything: ["log"],
};
const facts: DeployedFacts = {
  appIds: ["shop"],
  triggers: names.map((name) => ({ name, isShadowed: false })),
  flows: ["x"],
  needs: [needs],
  canaries: [],
};
const letter = {
  id: "1",
  appId: "shop",
  trigger: "message_sent",
  reason: "tries",
  cause: "Error: the trigger other is no name of ours",
  deliveryKey: undefined,
  receivedAt: 0,
  setAsideAt: 0,
};

it.each([
  ["that did not finish the event", { finished: ["message_sent log", "message_sent missed"] }, ["greet"]],
  ["that handle the event", { finished: [] }, ["greet", "log"]],
  ["only of a deployed app", { appId: "school" }, []],
  ["none, if only flows failed", { finished: ["message_sent greet", "message_sent log"] }, []],
  ["of a derived event", { trigger: "call_cancelled", finished: ["call_missed log"] }, ["missed"]],
  [
    "that finished one of two events",
    {
      trigger: "call_cancelled",
      finished: ["call_cancelled log", "call_missed log", "call_cancelled missed"],
    },
    ["missed"],
  ],
  ["none, if the event was too old", { reason: "too-old" }, []],
  ["none, if SQS moved it", { reason: "moved" }, []],
  [
    "that the cause of a crash names",
    { reason: "deaths", cause: "5 attempts ended without a result, the last in the trigger die." },
    ["die"],
  ],
  [
    "that is off",
    { reason: "trigger-off", cause: "It waited for the trigger old, which is not turned on any more." },
    ["old"],
  ],
  [
    "that may have crashed",
    { reason: "deaths", cause: "5 attempts ended without a result." },
    ["greet", "log"],
  ],
] as const)("names the triggers %s", (_case, fields, expected) => {
  expect(failedTriggersOf({ ...letter, ...fields }, facts)).toEqual(expected);
});

it("names no trigger if the deployed triggers are unknown", () => {
  expect(failedTriggersOf(letter, undefined)).toEqual([]);
});
