import { describe, expect, it } from "vitest";
import { commands } from "../../../cli/commands.ts";
import { createNameTarget } from "../../../cli/program.ts";

const prod = { local: false, world: undefined, stage: "prod", region: undefined };
const npx = "npx cometchat-functions";

describe("the commands in a text", () => {
  it.each([
    [`Then prove it: ${npx} doctor`, `Then prove it: ${npx} doctor --stage prod`],
    [`${npx} setup --app a --show-password`, `${npx} setup --stage prod --app a --show-password`],
    [`Type \`${npx} deploy\`, or wait.`, `Type \`${npx} deploy --stage prod\`, or wait.`],
    [`See ${npx} status.`, `See ${npx} status --stage prod.`],
    [`${npx} remove --app a --stage prod`, `${npx} remove --app a --stage prod`],
    [`${npx} deploy --stage dev`, `${npx} deploy --stage dev`],
    [`${npx} unknown`, `${npx} unknown`],
  ])("name the stage that was acted on: %s", (text, told) => {
    expect(createNameTarget(commands, prod)(text)).toBe(told);
  });

  it("name the given region and local stack", () => {
    const elsewhere = createNameTarget(commands, { ...prod, region: "eu-west-1" });
    const world = createNameTarget(commands, { ...prod, local: true, stage: undefined, world: "12" });

    expect(elsewhere(`${npx} doctor`)).toBe(`${npx} doctor --stage prod --region eu-west-1`);
    expect(elsewhere(`${npx} deploy --stage prod`)).toBe(`${npx} deploy --stage prod --region eu-west-1`);
    expect(elsewhere(`${npx} deploy --stage dev`)).toBe(`${npx} deploy --stage dev`);
    expect(world(`${npx} doctor --local`)).toBe(`${npx} doctor --local --world 12`);
    expect(world(`${npx} deploy --local`)).toBe("npm start");
    expect(world(`${npx} deploy --repair --local`)).toBe(`${npx} deploy --repair --local --world 12`);
  });

  it("stay unchanged without a target", () => {
    expect(createNameTarget(commands, { ...prod, stage: undefined })(`${npx} doctor`)).toBe(`${npx} doctor`);
  });
});
