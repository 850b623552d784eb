import { describe, expect, it } from "vitest";
import { neededRights } from "../../helpers/roles/needed-rights.ts";
import { isAllowed, type Statement } from "../../helpers/roles/policy.ts";

const allow = (actions: string[], resources: string[]): Statement => ({
  effect: "Allow",
  actions,
  resources,
});
const deny = (actions: string[], resources: string[]): Statement => ({ effect: "Deny", actions, resources });
const send = { action: "sqs:SendMessage", resource: "arn:aws:sqs:us-east-1:1:events.fifo" };

describe("isAllowed", () => {
  it.each([
    ["nothing", [], false],
    ["the very action and resource", [allow(["sqs:SendMessage"], [send.resource])], true],
    ["the action in other letters", [allow(["SQS:sendmessage"], [send.resource])], true],
    ["another action", [allow(["sqs:ReceiveMessage"], [send.resource])], false],
    ["another resource", [allow(["sqs:SendMessage"], ["arn:aws:sqs:us-east-1:1:events"])], false],
    ["a resource in other letters", [allow(["sqs:SendMessage"], [send.resource.toUpperCase()])], false],
    ["all that begin so", [allow(["sqs:*"], ["arn:aws:sqs:*:1:ev?nts.*"])], true],
    [
      "a dot that stands for itself",
      [allow(["sqs:SendMessage"], ["arn:aws:sqs:us-east-1:1:eventsxfifo"])],
      false,
    ],
    ["all, and denies some", [allow(["*"], ["*"]), deny(["sqs:*"], ["*:events.fifo"])], false],
    ["all, and denies others", [allow(["*"], ["*"]), deny(["sqs:*"], ["*:calls.fifo"])], true],
  ])("judges a role that names %s", (_what, statements, expected) => {
    expect(isAllowed(statements, send)).toBe(expected);
  });
});

describe("neededRights", () => {
  const rightsOf = (target: string | undefined, input: object, path = "/") =>
    neededRights({ method: "POST", path, target, body: JSON.stringify(input) }, "us-east-1");
  const account = "us-east-1:000000000000";

  it.each([
    [
      "AmazonSQS.SendMessageBatch",
      { QueueUrl: "http://127.0.0.1:1/000/a.fifo" },
      "sqs:SendMessage",
      `arn:aws:sqs:${account}:a.fifo`,
    ],
    [
      "DynamoDB_20120810.BatchGetItem",
      { RequestItems: { lanes: {} } },
      "dynamodb:BatchGetItem",
      `arn:aws:dynamodb:${account}:table/lanes`,
    ],
    [
      "secretsmanager.GetSecretValue",
      { SecretId: "a/b" },
      "secretsmanager:GetSecretValue",
      `arn:aws:secretsmanager:${account}:secret:a/b-AbCdEf`,
    ],
    [
      "AWSEvents.PutEvents",
      { Entries: [{ EventBusName: "bus" }] },
      "events:PutEvents",
      `arn:aws:events:${account}:event-bus/bus`,
    ],
  ])("knows what %s needs", (target, input, action, resource) => {
    expect(rightsOf(target, input)).toEqual([{ action, resource }]);
  });

  it("tells an alias of a function from the function", () => {
    expect(rightsOf(undefined, {}, "/2015-03-31/functions/f/invocations?Qualifier=durable")).toEqual([
      { action: "lambda:InvokeFunction", resource: `arn:aws:lambda:${account}:function:f:durable` },
    ]);
  });

  it("refuses to guess", () => {
    expect(() => rightsOf("S3.GetObject", {})).toThrow("Nobody has looked up");
    expect(() => rightsOf(undefined, {}, "/2015-03-31/functions/f")).toThrow("Nobody has looked up");
  });
});
