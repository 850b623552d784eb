import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod/mini";

const folder = join(import.meta.dirname, "../../../.github/workflows");
const workflowSchema = z.looseObject({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.looseObject({
      permissions: z.optional(z.record(z.string(), z.string())),
      steps: z.array(z.looseObject({ uses: z.optional(z.string()), run: z.optional(z.string()) })),
    }),
  ),
});

describe.each(readdirSync(folder))("%s", (file) => {
  const { permissions, jobs } = workflowSchema.parse(parse(readFileSync(join(folder, file), "utf8")));
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it("names each action by its commit", () => {
    for (const { uses } of steps) expect(uses ?? `@${"0".repeat(40)}`).toMatch(/@[0-9a-f]{40}$/);
  });

  it("runs only the upload in a job that may identify itself", () => {
    expect(permissions).toEqual({ contents: "read" });
    const trusted = Object.values(jobs).filter((job) => job.permissions?.["id-token"] === "write");
    for (const job of trusted) {
      expect(job.steps.flatMap(({ run }) => run ?? []).filter((run) => run !== ".ci/upload")).toEqual([]);
    }
  });
});
