import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkTemplate } from "../helpers/template/check-template.ts";
import { type PackagedService, packageService } from "../helpers/template/package-service.ts";

describe("the CloudFormation template", () => {
  let packaged: PackagedService;

  beforeAll(async () => {
    packaged = await packageService("prod");
  });
  afterAll(() => packaged?.remove());

  it("fits what AWS publishes of its resource types", () => {
    expect(checkTemplate(packaged.template)).toEqual([]);
  });

  it.each(["StateTable", "EffectsTable", "LanesTable", "FlowsTable"])(
    "lets %s survive the stack, and brings it back as it was, as a loss of it breaks a promise",
    (table) => {
      const kept = {
        DeletionPolicy: "Retain",
        Properties: { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
      };

      expect(packaged.template).toMatchObject({ Resources: { [table]: kept } });
    },
  );

  it("passes cfn-lint, where that is installed", async ({ skip }) => {
    const said = await lint(packaged.templateFile);
    if (said === undefined) {
      const hint =
        "cfn-lint is not installed (pip install cfn-lint): the template was compared with AWS's types alone";
      process.stderr.write(`\n${hint}\n`);
      skip(hint);
    }

    expect(said).toEqual([]);
  });
});

/** What cfn-lint says against a template; undefined without cfn-lint. */
async function lint(file: string): Promise<readonly string[] | undefined> {
  const printed = await promisify(execFile)("cfn-lint", ["--format", "parseable", ...unasked, file]).then(
    ({ stdout }) => stdout,
    (error: { code?: unknown; stdout?: string }) =>
      typeof error.code === "number" ? error.stdout : undefined,
  );
  return printed?.split("\n").filter((line) => line !== "");
}

/** W3005: serverless says on what a resource waits where a reference says it, too. */
const unasked = ["--ignore-checks", "W3005", "--"];

describe("checkTemplate", () => {
  const queue = { Type: "AWS::SQS::Queue", Properties: { FifoQueue: true } };
  const resources = (all: object) => checkTemplate({ Resources: all });

  it("takes what fits", () => {
    expect(resources({ Queue: queue, Other: { ...queue, DependsOn: ["Queue"] } })).toEqual([]);
  });

  it.each([
    [{ Queue: { Type: "AWS::SQS::Queu" } }, "Queue: there is no type AWS::SQS::Queu"],
    [{ Queue: { ...queue, Properties: { Fifo: true } } }, "Queue.Fifo: there is no such property"],
    [
      { Queue: { ...queue, Properties: { DelaySeconds: "soon" } } },
      'Queue.DelaySeconds: is "soon", and no whole number',
    ],
    [{ Queue: { ...queue, Properties: { Tags: {} } } }, "Queue.Tags: is {}, and no list"],
    [
      { Filter: { Type: "AWS::Logs::MetricFilter", Properties: { FilterPattern: "", LogGroupName: "x" } } },
      "Filter.MetricTransformations: is required",
    ],
    [{ Queue: { ...queue, DependsOn: "Nothing" } }, "Queue: refers to Nothing, which is not there"],
    [
      { Queue: { ...queue, Properties: { QueueName: { Ref: "Nothing" } } } },
      "Queue: refers to Nothing, which is not there",
    ],
    [
      { Queue: queue, Other: { ...queue, Properties: { QueueName: { "Fn::GetAtt": ["Queue", "Nam"] } } } },
      "Other: Queue (AWS::SQS::Queue) has no Nam",
    ],
    [
      { Queue: queue, Other: { ...queue, Properties: { QueueName: { "Fn::Sub": "a-$".concat("{Queu}") } } } },
      "Other: refers to Queu, which is not there",
    ],
    [
      { One: { ...queue, DependsOn: ["Two"] }, Two: { ...queue, Properties: { QueueName: { Ref: "One" } } } },
      "a circle: One → Two → One",
    ],
  ])("says what does not: %j", (all, mistake) => {
    expect(resources(all)).toEqual([mistake]);
  });

  it("counts what CloudFormation limits", () => {
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`Queue${index}`, queue]));

    expect(resources(many)).toEqual(["501 resources, of which CloudFormation takes 500"]);
  });
});
