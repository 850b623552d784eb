import { wrongUse } from "./cli-error.ts";
import {
  type ArgumentSpecs,
  type ArgumentValues,
  type OptionSpecs,
  type OptionValues,
  toFlag,
} from "./options.ts";

/** What was typed behind a command's name. */
export interface Typed {
  /** One entry an argument that was given. */
  readonly arguments: readonly (readonly string[])[];
  /** By the field's name; a switch that was given has one text. */
  readonly options: Readonly<Record<string, readonly string[]>>;
}

/** Makes the values of what was typed. @throws CliError that says what does not fit */
export function readTyped<Arguments extends ArgumentSpecs, Options extends OptionSpecs>(
  typed: Typed,
  argumentSpecs: Arguments,
  optionSpecs: Options,
): { readonly args: ArgumentValues<Arguments>; readonly options: OptionValues<Options> };
export function readTyped(typed: Typed, argumentSpecs: ArgumentSpecs, optionSpecs: OptionSpecs) {
  return {
    args: Object.fromEntries(
      Object.entries(argumentSpecs).map(([name, spec], index) => [
        name,
        spec.read(typed.arguments[index] ?? []),
      ]),
    ),
    options: Object.fromEntries(
      Object.entries(optionSpecs).map(([name, spec]) => [
        name,
        spec.read(filled(typed.options[name] ?? [], toFlag(name)), toFlag(name)),
      ]),
    ),
  };
}

/** A script's variable that was not set must not pick everything, or nothing. */
function filled(typed: readonly string[], flag: string): readonly string[] {
  if (typed.every((one) => one.trim() !== "")) return typed;
  throw wrongUse(`${flag} is given without a value.`, "Say one, or leave the option out.");
}
