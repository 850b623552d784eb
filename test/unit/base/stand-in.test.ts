import { expect, it } from "vitest";
import { standInFor } from "../../../lib/base/stand-in.ts";

it("stands in by what only the deployment knows: a stranger cannot compute whose place an id takes", () => {
  const placesWith = (prefix: string) => {
    const served = Array.from({ length: 5 }, (_, index) => `${prefix}${index}`);
    return Array.from({ length: 20 }, (_, id) => served.indexOf(standInFor(`unknown-${id}`, served) ?? ""));
  };

  expect(placesWith("a")).toEqual(placesWith("a"));
  expect(placesWith("a")).not.toEqual(placesWith("b"));
  expect(new Set(placesWith("a")).size).toBeGreaterThan(1);
});
