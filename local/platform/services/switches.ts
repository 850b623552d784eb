import { type JsonObject, mapValues } from "../json.ts";
import type { SwitchDefinition } from "./switch-definition.ts";
import { switchTable } from "./switch-table.ts";

/** The value of every switch. */
export type Switches = { -readonly [Name in keyof typeof switchTable]: ValueOf<(typeof switchTable)[Name]> };

type ValueOf<Fact extends SwitchDefinition> = Fact extends { allowed: readonly (infer Allowed)[] }
  ? Allowed
  : Fact["initial"] extends boolean
    ? boolean
    : number;

export function initialSwitches(): Switches {
  const values = mapValues<SwitchDefinition, unknown>(switchTable, ({ initial }) => initial);
  if (!isComplete(values)) throw new TypeError("The table of switches has an initial value that it forbids.");
  return values;
}

/** Changes all or none. @throws TypeError naming the first that is wrong */
export function changeSwitches(switches: Switches, changes: JsonObject): void {
  for (const [name, value] of Object.entries(changes)) {
    const problem = problemOf(name, value);
    if (problem !== undefined) throw new TypeError(problem);
  }
  Object.assign(switches, changes);
}

function isComplete(values: Record<string, unknown>): values is Switches {
  return Object.keys(switchTable).every((name) => problemOf(name, values[name]) === undefined);
}

function problemOf(name: string, value: unknown) {
  const definition = Object.entries(switchTable).find(([known]) => known === name)?.[1];
  if (definition === undefined) return `There is no switch ${name}.`;
  if ("allowed" in definition) {
    const allowed: readonly unknown[] = definition.allowed;
    return allowed.includes(value) ? undefined : `${name} must be one of: ${definition.allowed.join(", ")}.`;
  }
  if (typeof definition.initial === "boolean") {
    return typeof value === "boolean" ? undefined : `${name} must be true or false.`;
  }
  return typeof value === "number" && value >= 0 ? undefined : `${name} must be a number of at least 0.`;
}
