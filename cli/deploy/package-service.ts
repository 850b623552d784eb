import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { CliError } from "../cli-error.ts";
import { builtForOf } from "./deployments.ts";
import { runServerless, type ServerlessOptions } from "./run-serverless.ts";

export type ServicePackage = Awaited<ReturnType<typeof readPackage>>;

/**
 * May be repeated.
 * @throws CliError with the framework's reason
 */
export async function packageService(
  { stage, region, folder }: { readonly stage: string; readonly region: string; readonly folder: string },
  options: ServerlessOptions,
): Promise<ServicePackage> {
  const where = ["--stage", stage, "--region", region, "--package", folder];
  const run = await runServerless(["package", ...where], options);
  if (run.isDone) return await readPackage(folder);
  throw new CliError(
    "wrongUse",
    "NOT_PACKAGED",
    `The service could not be packaged for the stage ${stage}:\n${reasonOf(run.lines)}`,
    "Nothing was changed.",
  );
}

/** @throws CliError if the package does not exist */
export async function readPackage(folder: string) {
  const read = (name: string) => readFile(join(folder, name), "utf8");
  try {
    /** The template that CloudFormation gets. */
    const template = await read("cloudformation-template-update-stack.json");
    const { service } = stateSchema.parse(JSON.parse(await read("serverless-state.json")));
    return {
      folder,
      template,
      stackTags: service.provider.stackTags ?? {},
      /** If known. */
      builtFor: builtForOf(template),
    };
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

/** The framework deploys what it says. */
const stateSchema = z.object({
  service: z.object({
    provider: z.object({ stackTags: z.nullish(z.record(z.string(), z.string())) }),
  }),
});

/** It follows a line `Error:`, before the stack trace, if any. */
export function reasonOf(lines: readonly string[]): string {
  const from = lines.findLastIndex((line) => /^Error:?$|^[A-Z]\w*Error:/.test(line.trim()));
  const said = lines.slice(from < 0 ? -5 : from).filter((line) => !/^\s+at |^\s*Error:$/.test(line));
  return said.slice(0, 12).join("\n");
}

/** Whether logs would show the messages of all errors: the variable was set in the shell that packaged. */
export function showsTexts(template: string): boolean {
  return /"LOG_FOREIGN_MESSAGES": *"true"/.test(template);
}
