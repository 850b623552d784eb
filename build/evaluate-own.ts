import { createContext, runInNewContext, Script } from "node:vm";

/** What a bundle's call of `defineFlow` made. */
export interface FoundFlow {
  readonly isFlow: true;
  /** What the code gave as the name. */
  readonly name: unknown;
}

/** Ends only code that waits in a loop for something inert. */
const limitMs = 5_000;

/**
 * Runs a bundle of own code as its modules are loaded, without anything that it imports or that Node offers:
 * all of that is inert, except `defineFlow`. What depends on it is inert as well, not wrong.
 * @param code an ES module
 * @param names of top-level variables
 * @returns their values, as far as the code came
 */
export function evaluateOwn(code: string, names: readonly string[]): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  const report = (read: (name: string) => unknown) => {
    for (const name of names) found.set(name, read(name));
  };
  const readers = names.map(
    (name) => `case "${name}": return typeof ${name} === "undefined" ? undefined : ${name};`,
  );
  const body = `${withoutModules(code)}\n} catch {} finally { report((name) => { switch (name) { ${readers.join(" ")} } }); }`;
  try {
    const script = new Script(`(() => { try {\n${body}})();`);
    const sandbox = { ...Object.fromEntries(ofNode.map((name) => [name, inert])), inert, report };
    script.runInContext(createContext(sandbox), { timeout: limitMs });
  } catch {
    // Code that cannot be run alone: nothing is known of it.
  }
  return found;
}

const ofLanguage = new Set<string>(runInNewContext("Object.getOwnPropertyNames(globalThis)"));
const ofNode = Object.getOwnPropertyNames(globalThis).filter((name) => !ofLanguage.has(name));

/** Anything that is done with it gives itself. */
const inert: object = new Proxy(class {}, {
  get: (_target, key) => {
    if (key === "defineFlow") return defineFlow;
    if (key === "then") return undefined;
    if (key === Symbol.toPrimitive) return () => "";
    return key === Symbol.iterator ? () => [].values() : inert;
  },
  has: () => true,
  set: () => true,
  apply: () => inert,
  construct: () => inert,
});

function defineFlow(name: unknown): object {
  const flow: FoundFlow = { isFlow: true, name };
  return { waitsFor: [], misfitOf: inert, run: inert, ...flow };
}

export function isFlow(value: unknown): value is FoundFlow {
  return typeof value === "object" && value !== null && "isFlow" in value && value.isFlow === true;
}

/** In the form that esbuild writes. */
function withoutModules(code: string): string {
  return code
    .replaceAll(/^import ((?:[^"']|\n)*?) from "[^"]*"(?: with \{.*\})?;$/gm, (_all, clause: string) => {
      const [, whole = "", named] = /^([\w$]*|\* as [\w$]+)(?:, )?(\{[^}]*\})?$/.exec(clause) ?? [];
      const one = whole === "" ? "" : `var ${whole.replace("* as ", "")} = inert;`;
      return named === undefined ? one : `${one} var ${named.replaceAll(" as ", ": ")} = inert;`;
    })
    .replaceAll(/^import "[^"]*";$/gm, "")
    .replaceAll(/^export \{[^}]*\}(?: from "[^"]*")?;$/gm, "")
    .replaceAll(/^export \* from "[^"]*";$/gm, "")
    .replaceAll("import.meta", "inert");
}
