import { wrongUse } from "./cli-error.ts";
import {
  type ArgumentSpecs,
  type ArgumentValues,
  type OptionSpecs,
  type OptionValues,
  toFlag,
} from "./options.ts";

/** The typed arguments and options of a command. */
export interface Typed {
  /** One entry for each given argument. */
  readonly arguments: readonly (readonly string[])[];
  /** By field name; a given switch has one text. */
  readonly options: Readonly<Record<string, readonly string[]>>;
}

/** Converts the typed texts to values. @throws CliError that says what does not fit */
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

/** An unset variable of a script must not select everything, or nothing. */
function filled(typed: readonly string[], flag: string): readonly string[] {
  if (typed.every((one) => one.trim() !== "")) return typed;
  throw wrongUse(`${flag} is given without a value.`, "Give a value, or omit the option.");
}
