import type { Command } from "./command.ts";
import { type CommonOptions, programName } from "./program.ts";

/**
 * Adds to each command in a text what it is to act on, as it was typed for the one that tells of it, so that the text can be
 * typed as it stands. Commands that name it already, or need none, stay as they are (pure).
 */
export function nameTarget(
  text: string,
  commands: readonly Pick<Command, "name" | "target">[],
  { local, world, stage, region }: Pick<CommonOptions, "local" | "world" | "stage" | "region">,
): string {
  const target = [
    ...(local ? ["--local"] : []),
    ...(world === undefined ? [] : [`--world ${world}`]),
    ...(stage === undefined ? [] : [`--stage ${stage}`]),
    ...(region === undefined ? [] : [`--region ${region}`]),
  ].join(" ");
  if (target === "" || !text.includes(programName)) return text;
  const names = commands.flatMap(({ name, target }) => (target === "required" ? [name] : []));
  const typed = new RegExp(`${programName} (?:${names.join("|")})(?![\\w-])(?!.*--(?:local|stage)\\b)`, "g");
  return text.replaceAll(typed, (command) => `${command} ${target}`);
}
