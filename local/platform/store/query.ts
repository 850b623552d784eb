import { badRequest, type Refuse } from "../errors/platform-error.ts";
import { operators, type Range } from "./condition.ts";

/** The parameters of a request: all are optional on the wire. @throws PlatformError what `refuse` makes */
export class Query {
  readonly #parameters: URLSearchParams;
  readonly #refuse: Refuse;

  constructor(parameters: URLSearchParams, refuse: Refuse = badRequest) {
    this.#parameters = parameters;
    this.#refuse = refuse;
  }

  hasOnly(names: readonly string[]): boolean {
    return [...this.#parameters.keys()].every((name) => names.includes(name));
  }

  text(name: string): string | undefined {
    return this.#parameters.get(name) ?? undefined;
  }

  /** True for `true` and `1`, false for `false` and `0`. */
  flag(name: string): boolean | undefined {
    return this.#read(name, /^(?:true|false|1|0)$/, "must be true or false", (text) => /true|1/.test(text));
  }

  integer(name: string): number | undefined {
    return this.#read(name, /^-?\d{1,15}$/, "must be an integer", Number);
  }

  /** Reads both array styles: `tags=a,b` and `tags=a&tags=b` (also `tags[]=a`). Undefined when absent. */
  list(name: string): string[] | undefined {
    const values = [...this.#parameters.getAll(name), ...this.#parameters.getAll(`${name}[]`)]
      .flatMap((value) => value.split(","))
      .map((value) => value.trim())
      .filter((value) => value !== "");
    return values.length === 0 ? undefined : values;
  }

  /** Reads `name[from]`, `name[to]`, `name[gt|gte|lt|lte|eq]`. */
  range(name: string): Range {
    return Object.fromEntries(
      Object.keys(operators).map((bound) => [bound, this.integer(`${name}[${bound}]`)]),
    );
  }

  #read<T>(name: string, form: RegExp, says: string, parse: (text: string) => T): T | undefined {
    const text = this.#parameters.get(name) ?? "";
    if (text === "") return undefined;
    if (!form.test(text)) throw this.#refuse({ [name]: `The ${name} ${says}.` });
    return parse(text);
  }
}
