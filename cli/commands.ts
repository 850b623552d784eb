import type { Command } from "./command.ts";
import { appsAdd } from "./commands/apps-add.ts";
import { appsList } from "./commands/apps-list.ts";
import { appsRemove } from "./commands/apps-remove.ts";
import { target } from "./commands/target.ts";

/** All commands, in the order of the list that `--help` shows. */
export const commands: readonly Command[] = [appsList, appsAdd, appsRemove, target];
