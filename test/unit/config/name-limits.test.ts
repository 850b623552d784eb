import { describe, expect, it } from "vitest";
import { tooLongNames } from "../../../build/name-limits.ts";

describe("tooLongNames", () => {
  it("accepts names up to AWS's limit", () => {
    const queue = (characters: number) => ({
      EventsQueue: {
        Type: "AWS::SQS::Queue",
        Properties: { QueueName: `${"q".repeat(characters - 5)}.fifo` },
      },
    });

    expect(tooLongNames("stack", queue(80))).toEqual([]);
    expect(tooLongNames("stack", queue(81))).toEqual([
      `The name of EventsQueue (AWS::SQS::Queue) has 81 characters, and AWS takes 80: ${"q".repeat(76)}.fifo. ` +
        "Choose a shorter stage, or a shorter `service` in serverless.yml.",
    ]);
  });

  it("checks the stack's name and each resource's name", () => {
    const resources = {
      One: { Type: "AWS::Lambda::Function", Properties: { FunctionName: "f".repeat(65) } },
      Other: { Type: "AWS::IAM::Role", Properties: { RoleName: "r".repeat(65) } },
    };

    expect(tooLongNames("s".repeat(129), resources)).toEqual([
      expect.stringContaining("the stack has 129 characters, and AWS takes 128"),
      expect.stringContaining("One (AWS::Lambda::Function) has 65"),
      expect.stringContaining("Other (AWS::IAM::Role) has 65"),
    ]);
  });

  it("ignores generated names and unknown resources", () => {
    const resources = {
      Made: { Type: "AWS::SQS::Queue", Properties: { QueueName: { "Fn::Sub": "q".repeat(100) } } },
      Unnamed: { Type: "AWS::SQS::Queue" },
      Odd: { Type: "constructor", Properties: { QueueName: "q".repeat(100) } },
    };

    expect(tooLongNames("stack", resources)).toEqual([]);
  });
});
