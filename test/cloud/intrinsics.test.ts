import { expect, it } from "vitest";
import { type IntrinsicContext, resolveIntrinsics } from "../../local/cloud/intrinsics.ts";

const context: IntrinsicContext = {
  region: "eu-central-1",
  stackName: "shop-dev",
  resources: new Map([
    [
      "Queue",
      { ref: "http://queue", attributes: { Arn: "arn:aws:sqs:eu-central-1:0:queue", QueueName: "queue" } },
    ],
  ]),
};

const open = "${"; // begins a variable of Fn::Sub

it.each([
  ["Ref of a pseudo parameter", { Ref: "AWS::StackName" }, "shop-dev"],
  ["GetAtt as text", { "Fn::GetAtt": "Queue.QueueName" }, "queue"],
  [
    "Sub",
    { "Fn::Sub": `${open}AWS::Region}/${open}Queue.QueueName}/${open}!literal}` },
    `eu-central-1/queue/${open}literal}`,
  ],
  ["Sub with variables", { "Fn::Sub": [`${open}name}-x`, { name: { Ref: "Queue" } }] }, "http://queue-x"],
  ["Join", { "Fn::Join": [":", ["a", { Ref: "AWS::Region" }]] }, "a:eu-central-1"],
  ["values inside objects and lists", { a: [{ Ref: "Queue" }] }, { a: ["http://queue"] }],
  ["NoValue", { a: { Ref: "AWS::NoValue" }, b: 1 }, { b: 1 }],
])("resolves %s", (_, value, expected) => {
  expect(resolveIntrinsics(value, context)).toEqual(expected);
});

it("names a resource without a local value", () => {
  expect(() => resolveIntrinsics({ Ref: "Role" }, context)).toThrow(/Role/);
  expect(() => resolveIntrinsics({ "Fn::GetAtt": ["Queue", "Colour"] }, context)).toThrow(/Queue\.Colour/);
  expect(() => resolveIntrinsics({ "Fn::If": ["a", 1, 2] }, context)).toThrow(/Fn::If/);
});
