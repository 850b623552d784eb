import { expect, it } from "vitest";
import config from "../../mutation/vitest.config.ts";

it("judges mutants by the tests of their group alone, in no project of npm test", () => {
  const { projects, include } = config.test ?? {};

  expect({ projects, include }).toEqual({ projects: undefined, include: ["test/unit/**/*.test.ts"] });
});
