import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { type BuiltFor, readBuiltFor } from "../../build/built-for.ts";
import { CliError } from "../cli-error.ts";
import type { ResourceChange } from "../stack/changes.ts";
import { runServerless, type ServerlessOptions } from "./run-serverless.ts";

export interface ServicePackage {
  readonly folder: string;
  /** The template that CloudFormation gets. */
  readonly template: string;
  /** If nothing is deployed. */
  readonly added: readonly ResourceChange[];
  readonly stackTags: Readonly<Record<string, string>>;
  /** If known. */
  readonly builtFor: BuiltFor | undefined;
}

/**
 * May be repeated.
 * @throws CliError with the framework's reason
 */
export async function packageService(
  where: { readonly stage: string; readonly region: string; readonly folder: string },
  options: ServerlessOptions,
): Promise<ServicePackage> {
  const { stage, region, folder } = where;
  const run = await runServerless(
    ["package", "--stage", stage, "--region", region, "--package", folder],
    options,
  );
  if (run.isDone) return await readPackage(folder);
  throw new CliError(
    "wrongUse",
    "NOT_PACKAGED",
    `The service could not be packaged for the stage ${stage}:\n${reasonOf(run.lines)}`,
    "Nothing was changed.",
  );
}

/** @throws CliError if the package does not exist */
export async function readPackage(folder: string): Promise<ServicePackage> {
  const file = join(folder, "cloudformation-template-update-stack.json");
  try {
    const template = await readFile(file, "utf8");
    const { Resources, Metadata } = templateSchema.parse(JSON.parse(template));
    const added = Object.entries(Resources).map(
      ([logicalId, { Type: type }]) => ({ action: "add", logicalId, type, isKept: false }) as const,
    );
    const state = stateSchema.parse(
      JSON.parse(await readFile(join(folder, "serverless-state.json"), "utf8")),
    );
    const { stackTags } = state.service.provider;
    return { folder, template, added, stackTags: stackTags ?? {}, builtFor: readBuiltFor(Metadata) };
  } catch (cause) {
    throw new CliError(
      "wrongUse",
      "NO_PACKAGE",
      `There is no package in ${folder}.`,
      "Make one: npx serverless package --stage <stage> --package <folder>",
      cause,
    );
  }
}

const templateSchema = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string() })),
  Metadata: z.unknown(),
});

/** The framework deploys what it says. */
const stateSchema = z.object({
  service: z.object({
    provider: z.object({ stackTags: z.nullish(z.record(z.string(), z.string())) }),
  }),
});

/** It follows a line `Error:`, before the stack trace, if any. */
export function reasonOf(lines: readonly string[]): string {
  const from = lines.findLastIndex((line) => /^Error:?$|^[A-Z]\w*Error:/.test(line.trim()));
  const told = (
    from < 0 ? lines.slice(-5) : lines.slice(from + (lines[from]?.trim() === "Error:" ? 1 : 0))
  ).filter((line) => !/^\s+at /.test(line));
  return told.slice(0, 12).join("\n");
}

/** Whether logs would show the messages of all errors, because the variable was set in the shell that packaged. */
export function showsTexts(template: string): boolean {
  return /"LOG_FOREIGN_MESSAGES": *"true"/.test(template);
}
