import { globSync, readFileSync } from "node:fs";
import { matchesGlob } from "node:path";
import { expect, it } from "vitest";
import config from "../../../vitest.config.ts";

const projects = (config.test?.projects ?? []).flatMap((project) =>
  typeof project === "object" && "test" in project ? [project.test ?? {}] : [],
);
const nameOf = ({ name }: (typeof projects)[number]) => String(name);

it("each file of tests belongs to one project", () => {
  const files = globSync("test/**/*.test.ts");

  const elsewhere = files.flatMap((file) => {
    const isOneOf = (patterns: readonly string[] = []) => patterns.some((glob) => matchesGlob(file, glob));
    const found = projects.filter(({ include, exclude }) => isOneOf(include) && !isOneOf(exclude));
    return found.length === 1 ? [] : [{ file, projects: found.map(nameOf) }];
  });

  expect(files.length).toBeGreaterThan(500);
  expect(elsewhere).toEqual([]);
});

it("each project is run by one of npm test, npm run test:all and npm run test:nightly", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const commands = ["test", "test:all", "test:nightly"].map((script) => String(scripts[script]));

  const run = commands.flatMap((command) =>
    [...command.matchAll(/--project=(\w+)/g)].map(([, name]) => name),
  );

  expect(run.toSorted()).toEqual(projects.map(nameOf).toSorted());
});
