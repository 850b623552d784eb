import type { ListedCommand } from "./command.ts";
import { type CommonOptions, programName } from "./program.ts";

/** Adds the current target to suggested commands: otherwise they would be refused or act elsewhere. */
export function createNameTarget(
  commands: readonly Pick<ListedCommand, "name">[],
  { local, world, stage, region }: Pick<CommonOptions, "local" | "world" | "stage" | "region">,
): (text: string) => string {
  const option = local ? "--local" : stage === undefined ? undefined : `--stage ${stage}`;
  const detail = local ? world && `--world ${world}` : region && `--region ${region}`;
  if (option === undefined) return (text) => text;
  const names = commands.map(({ name }) => name).join("|");
  const advised = new RegExp(`(${programName} (?:${names}))(?![\\w-])([^\\n\`]*)`, "g");
  return (text) =>
    text.replaceAll(advised, (_, command: string, rest: string) => {
      if (local && command === `${programName} deploy` && !rest.startsWith(" --repair"))
        return `npm start${rest.replace(/^ --local(?: --world \S+)?/, "")}`;
      const [given] = /--local|--stage \S*[\w>]/.exec(rest) ?? [];
      if (given === undefined) return `${command} ${[option, detail].filter(Boolean).join(" ")}${rest}`;
      const isSame = given === option && detail !== undefined && !rest.includes(detail);
      return command + (isSame ? rest.replace(given, `${given} ${detail}`) : rest);
    });
}
