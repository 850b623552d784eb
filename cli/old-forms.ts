import { wrongUse } from "./cli-error.ts";

// Of version 0.x before the commands were folded. To be deleted with the version after the next.

const movedCommands: Readonly<Record<string, string>> = {
  target: "status",
  paused: "status",
  "apps add": "setup --app <id>",
  "app plan": "app apply --dry-run",
  "events wake": "resume hosts",
  "rotate status": "rotate finish --dry-run",
  "rotate abandon": "rotate finish --abandon",
  "quarantine list": "dead-letters list --quarantine",
  "quarantine show": "dead-letters show <id> --quarantine",
  "quarantine replay": "dead-letters replay --quarantine",
  "quarantine drop": "dead-letters drop --quarantine",
};

/** @throws CliError if the command has another name now */
export function refuseMovedCommand([first = "", second = ""]: readonly string[]): void {
  for (const old of [first, `${first} ${second}`]) {
    const form = Object.hasOwn(movedCommands, old) ? movedCommands[old] : undefined;
    if (form !== undefined) throw wrongUse(`"${old}" is now: npx cometchat-functions ${form}`);
  }
}

const movedOptions: Readonly<Record<string, string>> = { "--rehearse": "--dry-run", "--plan": "--dry-run" };

/** Accepts the options' old spellings. */
export function replaceMovedOptions(
  args: readonly string[],
  note: (text: string) => void,
): readonly string[] {
  return args.flatMap((arg) => {
    if (arg === "--hand-over" && args[0] === "reconcile") {
      note(
        "reconcile hands over without --hand-over, and counts with --dry-run. The next version refuses it.",
      );
      return [];
    }
    const form = Object.hasOwn(movedOptions, arg) ? movedOptions[arg] : undefined;
    if (form === undefined) return [arg];
    note(`${arg} is ${form} now. The next version refuses the old spelling.`);
    return [form];
  });
}
