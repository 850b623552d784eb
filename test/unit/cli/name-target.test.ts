import { describe, expect, it } from "vitest";
import { nameTarget } from "../../../cli/name-target.ts";
import { shellText } from "../../../cli/shell-text.ts";

const commands = [
  { name: "apps list", target: "required" },
  { name: "trace", target: "required" },
  { name: "help", target: "none" },
] as const;
const onProd = { local: false, world: undefined, stage: "prod", region: "eu-west-1" };

describe("a command in what a command says", () => {
  it("acts on the same as the one that says it", () => {
    const told = nameTarget(
      "See npx cometchat-functions apps list. `npx cometchat-functions trace 1`",
      commands,
      onProd,
    );

    expect(told).toBe(
      "See npx cometchat-functions apps list --stage prod --region eu-west-1. " +
        "`npx cometchat-functions trace --stage prod --region eu-west-1 1`",
    );
  });

  it.each([
    "npx cometchat-functions trace 1 --stage dev",
    "npx cometchat-functions trace 1 --local",
    "npx cometchat-functions help",
    "npx cometchat-functions tracer",
  ])("stays as it is where it says it, or needs none: %s", (text) => {
    expect(nameTarget(text, commands, onProd)).toBe(text);
  });

  it("is one in which a key runs nothing", () => {
    expect(shellText("app|$(id)|it's")).toBe("'app|$(id)|it'\\''s'");
  });
});
