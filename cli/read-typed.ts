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
        spec.read(typed.options[name] ?? [], toFlag(name)),
      ]),
    ),
  };
}
