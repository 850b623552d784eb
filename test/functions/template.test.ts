import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { checkTemplate } from "../helpers/template/check-template.ts";
import { type PackagedService, packageService } from "../helpers/template/package-service.ts";

describe("the CloudFormation template", () => {
  let packaged: PackagedService;

  beforeAll(async () => {
    packaged = await packageService();
  });

  it("fits what AWS publishes of its resource types", () => {
    expect(checkTemplate(JSON.parse(packaged.template))).toEqual([]);
  });

  describe("of a distribution in front", () => {
    const file = join(import.meta.dirname, "../../infrastructure/edge/template.yml");
    const customTags = ["Ref", "Sub", "GetAtt"].map((name) => ({
      tag: `!${name}`,
      resolve: (text: string) => ({ [name === "Ref" ? name : `Fn::${name}`]: text }),
    }));
    const template = parse(readFileSync(file, "utf8"), { customTags });

    it("does, too", () => {
      expect(checkTemplate(template)).toEqual([]);
    });
  });

  it("lets tables survive the stack, and brings them back as they were, as a loss breaks a promise", () => {
    const kept = {
      DeletionPolicy: "Retain",
      Properties: { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
    };

    expect(JSON.parse(packaged.template)).toMatchObject({
      Resources: { StateTable: kept, EffectsTable: kept, LanesTable: kept, FlowsTable: kept },
    });
  });

  it("says which events its flows wait for", () => {
    expect(JSON.parse(packaged.template)).toHaveProperty("Metadata.FlowEvents", {});
  });

  it("changes what starts flows only after their alias, which may run a new flow from then on", () => {
    const resources: Record<string, { DependsOn?: string | string[] }> = JSON.parse(
      packaged.template,
    ).Resources;
    const waiting = Object.entries(resources).filter(([, { DependsOn = [] }]) =>
      [DependsOn].flat().includes("FlowsDurableLambdaAlias"),
    );

    expect(waiting.map(([id]) => id)).toEqual(["ProcessEventsLambdaFunction"]);
    expect(resources).toHaveProperty("FlowsDurableLambdaAlias");
  });
});
