import type { StackEvent } from "@aws-sdk/client-cloudformation";
import { describe, expect, it } from "vitest";
import { refuseDeafFlows } from "../../../cli/deploy/check-before.ts";
import { directoryOfTemplate, noteFlowsLost } from "../../../cli/deploy/deployments.ts";
import { refuseExpiry } from "../../../cli/deploy/holdings.ts";
import { failuresOf, waitForQueueNamesMs } from "../../../cli/deploy/make-ready.ts";
import { reasonOf, showsTexts } from "../../../cli/deploy/package-service.ts";
import { checkLimits } from "../../../cli/doctor/check-aws.ts";
import { refuseKeyLost, refuseLosses, toResourceChanges } from "../../../cli/stack/changes.ts";
import { standingOf } from "../../../cli/target/target.ts";
import type { AwsCaller } from "../../../lib/aws/aws-call.ts";
import { remediesFor } from "../../../lib/operate/doctor/remedies.ts";

it.each([
  ["UPDATE_COMPLETE", "ready"],
  ["UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", "busy"],
  ["REVIEW_IN_PROGRESS", "stillborn"],
  ["ROLLBACK_COMPLETE", "stillborn"],
  ["UPDATE_ROLLBACK_FAILED", "stuck"],
  ["DELETE_FAILED", "half-removed"],
])("a stack's status %s means %s", (status, standing) => {
  const told = standingOf(status);

  expect(told).toBe(standing);
});

it.each(["true", "false"])("detects whether logs would contain texts: %s", (LOG_FOREIGN_MESSAGES) => {
  const Properties = { Environment: { Variables: { LOG_FOREIGN_MESSAGES } } };
  const template = JSON.stringify({ Resources: { It: { Properties } } }, null, 2);

  expect(showsTexts(template)).toBe(LOG_FOREIGN_MESSAGES === "true");
});

describe("what a deployment would change", () => {
  const change = (ResourceType: string, facts: object) => ({
    ResourceChange: { LogicalResourceId: "It", ResourceType, ...facts },
  });

  it("is a loss if a resource with data is removed, or is or may be replaced", () => {
    const changes = toResourceChanges([
      change("AWS::DynamoDB::Table", { Action: "Modify", Replacement: "True" }),
      change("AWS::SQS::Queue", { Action: "Modify", Replacement: "Conditional" }),
      change("AWS::ApiGatewayV2::Api", { Action: "Remove", PolicyAction: "Delete" }),
    ]);

    expect(() => refuseLosses(changes)).toThrow(
      "This would destroy It (what the functions remember in it), It (the events that wait in it), It (its address",
    );
  });

  it("is no loss if a resource is changed in place, retained, imported, or holds no data", () => {
    const changes = toResourceChanges([
      change("AWS::DynamoDB::Table", { Action: "Modify", Replacement: "False" }),
      change("AWS::DynamoDB::Table", { Action: "Remove", PolicyAction: "Retain" }),
      change("AWS::DynamoDB::Table", { Action: "Import" }),
      change("AWS::Lambda::Version", { Action: "Modify", Replacement: "True" }),
    ]);

    refuseLosses(changes);

    expect(changes.map(({ action }) => action)).toEqual(["modify", "remove", "import", "replace"]);
  });
});

describe("a package for a stage with a custom KMS key", () => {
  const [old, next] = ["old", "new"].map((name) => `arn:aws:kms:eu-central-1:123456789012:key/${name}`);
  const running = JSON.stringify({
    Resources: { DeadLetterQueue: { Type: "AWS::SQS::Queue", Properties: { KmsMasterKeyId: old } } },
  });
  const using = (...keys: unknown[]) => JSON.stringify({ Resources: {}, Metadata: keys });

  it.each([[[]], [[next]]])("is refused if its functions may only use %j", (keys) => {
    expect(() => refuseKeyLost("prod", running, using(...keys))).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(`with ${old}, which this package's functions may not use`),
        hint: expect.stringContaining(`formerKmsKeys: [${old}]`),
      }),
    );
  });

  it("is not refused if its functions may use that key", () => {
    expect(() => refuseKeyLost("prod", running, using(next, old))).not.toThrow();
  });

  const encryptedBy = (key: string | undefined) =>
    JSON.stringify({
      Resources: { DeadLetterQueue: { Type: "AWS::SQS::Queue", Properties: { KmsMasterKeyId: key } } },
    });

  it.each([[encryptedBy(undefined)], [encryptedBy(old)]])(
    "is refused with a new key that the running functions may not use: %s",
    (runs) => {
      const template = JSON.stringify({ ...JSON.parse(encryptedBy(next)), Metadata: [old] });

      expect(() => refuseKeyLost("prod", runs, template)).toThrow(
        expect.objectContaining({
          message: expect.stringContaining("deliveries would be refused"),
          hint: expect.stringContaining(`formerKmsKeys: [${next}]`),
        }),
      );
      const prepared = JSON.stringify({ ...JSON.parse(runs), Metadata: [next] });
      expect(() => refuseKeyLost("prod", prepared, template)).not.toThrow();
    },
  );

  const bucket = JSON.stringify({ Resources: { ServerlessDeploymentBucket: { Type: "AWS::S3::Bucket" } } });

  it.each(["", bucket])("is not refused with a key if no queue is deployed: %s", (runs) => {
    expect(() => refuseKeyLost("prod", runs, encryptedBy(next))).not.toThrow();
  });
});

describe("a package with another retention of queues", () => {
  const templateOf = (MessageRetentionPeriod: number) =>
    JSON.stringify({
      Resources: { DeadLetterQueue: { Type: "AWS::SQS::Queue", Properties: { MessageRetentionPeriod } } },
    });
  const targetWith = (waiting: number) => ({
    callAws: async () => ({
      Attributes: {
        ApproximateNumberOfMessages: String(waiting),
        ApproximateNumberOfMessagesNotVisible: "0",
        ApproximateNumberOfMessagesDelayed: "0",
      },
    }),
    rereadStack: async () => ({
      resources: new Map([
        ["DeadLetterQueue", { type: "AWS::SQS::Queue", physicalId: "https://sqs/dead-letters" }],
      ]),
    }),
  });

  it.each([
    ["the queue is empty", 0, 604_800],
    ["it is longer", 3, 1_209_601],
  ])("is not refused if %s", async (_case, waiting, seconds) => {
    const deployed = refuseExpiry(targetWith(waiting), templateOf(1_209_600), templateOf(seconds));

    await expect(deployed).resolves.toBeUndefined();
  });
});

describe("the events of a stack", () => {
  const happening = ({ atMs = 1_000_000, ...facts }: { readonly atMs?: number } & Partial<StackEvent>) => ({
    EventId: "1",
    StackId: "s",
    StackName: "s",
    LogicalResourceId: "Queue",
    ResourceType: "AWS::SQS::Queue",
    ResourceStatus: "DELETE_COMPLETE" as const,
    Timestamp: new Date(atMs),
    ...facts,
  });

  it("determine how long to wait for the names of deleted queues", () => {
    const queue = waitForQueueNamesMs([happening({}), happening({ atMs: 990_000 })], 1_010_000);
    const other = waitForQueueNamesMs([happening({ ResourceType: "AWS::DynamoDB::Table" })], 1_010_000);
    const longAgo = waitForQueueNamesMs([happening({})], 1_070_000);

    expect([queue, other, longAgo]).toEqual([55_000, 0, 0]);
  });

  it("include the first failures, without cancelled resources", () => {
    const failures = failuresOf([
      happening({
        LogicalResourceId: "Later",
        ResourceStatus: "CREATE_FAILED",
        atMs: 3,
        ResourceStatusReason: "Resource creation cancelled",
      }),
      happening({ LogicalResourceId: "Second", ResourceStatus: "CREATE_FAILED", atMs: 2 }),
      happening({ LogicalResourceId: "First", ResourceStatus: "CREATE_FAILED", atMs: 1 }),
    ]);

    expect(failures.map(({ LogicalResourceId }) => LogicalResourceId)).toEqual(["First", "Second"]);
  });
});

describe("a template", () => {
  const prefix = "serverless/service/prod/";
  const template = (key: string) =>
    JSON.stringify({
      Resources: {
        Table: { Type: "AWS::DynamoDB::Table", DeletionPolicy: "Retain" },
        Code: { Type: "AWS::Lambda::Function", Properties: { Code: { S3Key: key } } },
      },
    });

  it("names the package that it runs", () => {
    const found = directoryOfTemplate(template(`${prefix}1-2026-01-01T00:00:00.000Z/webhook.zip`), prefix);
    const foreign = directoryOfTemplate(template("elsewhere/webhook.zip"), prefix);
    const broken = directoryOfTemplate("{", prefix);

    expect([found, foreign, broken]).toEqual(["1-2026-01-01T00:00:00.000Z", undefined, undefined]);
  });
});

it("reasonOf returns the framework's reason, without stack trace and environment", () => {
  const reason = reasonOf([
    "Environment: linux, node 24",
    "Error:",
    "The stage prod serves no app.",
    "    at Object.check (/somewhere/file.js:1:2)",
  ]);

  expect(reason).toBe("The stage prod serves no app.");
});

it.each([
  [10, 10, "or ask AWS for 1,000 (Service Quotas"],
  [1_000, 5, "or ask AWS for more (Service Quotas"],
])(
  "names the quota to request if %i functions run in parallel, and %i are not reserved",
  async (most, free, text) => {
    const AccountLimit = { ConcurrentExecutions: most, UnreservedConcurrentExecutions: free };
    const target = { callAws: async () => ({ AccountLimit }), settings: { consumerConcurrency: 5 } };

    const found = await checkLimits(target, remediesFor("--stage prod"));

    expect(found).toMatchObject({ status: "wrong", says: expect.stringContaining(text) });
  },
);

describe("a package without an event that flows wait for", () => {
  const templateWith = (FlowEvents?: unknown) =>
    JSON.stringify({ Metadata: { FlowEvents }, Resources: { FlowsLambdaFunction: { Type: "a function" } } });
  const [edited, reacted] = ["message_edited", "message_reaction_added"];
  const before = { approve: [edited, reacted], remind: [edited] };
  /** Filters by exact name, as Lambda may. */
  const targetWith = (...names: string[]) => {
    const asked: string[] = [];
    const callAws = async ({ target, rest }: Parameters<AwsCaller>[0]) => {
      asked.push(target);
      if (target === "Lambda.ListVersionsByFunction") return { Versions: [{ Version: "1" }] };
      const name = new URLSearchParams(rest?.query).get("DurableExecutionName");
      const found = names.filter((one) => name === null || one === name);
      const DurableExecutions = found.map((DurableExecutionName) => ({
        DurableExecutionName,
        DurableExecutionArn: `arn/${DurableExecutionName}`,
        Status: "RUNNING",
        StartTimestamp: 1,
      }));
      return { DurableExecutions };
    };
    return { asked, target: { stackName: "service-prod", callAws } };
  };

  it("is refused, with the events and the number of running flows", async () => {
    const { target } = targetWith("approve_1", "approve_2", "remind_4");
    const without = refuseDeafFlows(target, templateWith(before), templateWith({ approve: [edited] }));
    const withNone = refuseDeafFlows(target, templateWith(before), templateWith({}));

    await expect(without).rejects.toThrow("Running flows (3) may wait for");
    await expect(without).rejects.toThrow("in waitsFor: message_reaction_added. No event would");
    await expect(withNone).rejects.toThrow(
      "in waitsFor: message_edited, message_reaction_added. No event would",
    );
  });

  it("is refused if flows run of a version that listed the event for another flow", async () => {
    const { target } = targetWith("remind_1");
    const running = { approve: [reacted], remind: [edited] };
    const without = refuseDeafFlows(target, templateWith(running), templateWith({ remind: [edited] }));

    await expect(without).rejects.toThrow("in waitsFor: message_reaction_added. No event would");
  });

  it.each([
    ["another flow lists it", before, { other: [reacted, edited] }],
    ["the running package's events are unknown", "unknown", {}],
    ["the package's events are unknown", before, "unknown"],
  ])("is accepted without a query if %s", async (_case, running, next) => {
    const { target, asked } = targetWith("approve_1");

    await refuseDeafFlows(target, templateWith(running), templateWith(next));

    expect(asked).toEqual([]);
  });

  it("is deployed if no flow runs", async () => {
    const { target, asked } = targetWith();

    await refuseDeafFlows(target, templateWith(before), templateWith({ remind: [edited] }));

    expect(asked).toHaveLength(2);
  });
});

describe("a package without a flow that the running one has", () => {
  const templateWith = (FlowEvents?: object) =>
    JSON.stringify({
      Metadata: { FlowEvents, BuiltFor: { stage: "prod", appIds: ["an-app", "another-app"] } },
      Resources: {},
    });
  const notesOf = (running: string, next: string) => {
    const notes: string[] = [];
    noteFlowsLost(running, next, { note: (text) => notes.push(text) });
    return notes.join("\n");
  };

  it("names the flow, and the commands that pause its starts", () => {
    const notes = notesOf(templateWith({ approve: [], remind: [] }), templateWith({ remind: [] }));

    expect(notes).toContain("no longer has the flows: approve. ");
    expect(notes).toContain(
      "\nnpx cometchat-functions pause app:an-app\nnpx cometchat-functions pause app:another",
    );
  });

  it.each([
    ["the running package does not list its flows", templateWith(), templateWith({})],
    ["the package does not list its flows", templateWith({ approve: [] }), templateWith()],
    ["nothing is deployed", "", templateWith({ approve: [] })],
    [
      "it has the same flows",
      templateWith({ approve: [] }),
      templateWith({ approve: ["message_sent"], remind: [] }),
    ],
  ])("is not noted if %s", (_case, running, next) => {
    const notes = notesOf(running, next);

    expect(notes).toBe("");
  });
});
