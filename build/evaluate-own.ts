import { createContext, runInNewContext, Script } from "node:vm";

export interface FoundFlow {
  readonly isFlow: true;
  readonly name: unknown;
  readonly waitsFor: unknown;
}

export interface OwnStatement {
  readonly text: string;
  readonly variables: readonly string[];
  readonly file: string;
}

/** Ends only code that waits in a loop for something inert. */
const limitMs = 5_000;

/**
 * Runs a bundle of own code as its modules are loaded. Its imports and Node's features are inert, except
 * `defineFlow` and an empty environment; so are values that depend on them.
 * @param statements of an ES module that esbuild wrote
 * @returns `isUncertain` if it read its environment or configuration, or a statement that only changes values
 * failed
 */
export function evaluateOwn(statements: readonly OwnStatement[]) {
  let isUncertain = false;
  const noteStage = () => {
    isUncertain = true;
  };
  const inert = createInert(noteStage);
  const inertConfig = new Proxy(inert, {
    get: (_target, key) => {
      noteStage();
      return Reflect.get(inert, key);
    },
  });
  const sandbox: Record<string, unknown> = Object.fromEntries(ofNode.map((name) => [name, inert]));
  const context = createContext(Object.assign(sandbox, { inert, inertConfig }));
  const [functions, others] = [true, false].map((wanted) =>
    statements.filter(({ text }) => /^(async )?function\b/.test(text) === wanted),
  );
  for (const { text, variables } of [...(functions ?? []), ...(others ?? [])]) {
    try {
      new Script(withoutModules(text)).runInContext(context, { timeout: limitMs });
    } catch {
      const declared = text.startsWith("var ") ? variables : [];
      for (const variable of declared) sandbox[variable] = inert;
      isUncertain ||= declared.length === 0;
    }
  }
  return { values: sandbox, isUncertain };
}

const ofLanguage = new Set<string>(runInNewContext("Object.getOwnPropertyNames(globalThis)"));
const ofNode = Object.getOwnPropertyNames(globalThis).filter((name) => !ofLanguage.has(name));

/** Returns itself for any operation. */
function createInert(noteStage: () => void): object {
  const inert: object = new Proxy(class {}, {
    get: (_target, key) => {
      if (key === "defineFlow") return defineFlow;
      if (key === "then") return undefined;
      if (key === Symbol.toPrimitive) return () => "";
      if (key === Symbol.iterator) return () => [inert].values();
      if (key !== "env") return inert;
      noteStage();
      return Object.create(null);
    },
    has: () => true,
    set: () => true,
    apply: () => inert,
    construct: () => inert,
  });
  return inert;
}

function defineFlow(name: unknown, options: unknown): object {
  // A schema is inert, which is a function.
  const { waitsFor = [] } = typeof options === "function" ? {} : Object(options);
  const flow: FoundFlow = { isFlow: true, name, waitsFor };
  return { misfitOf: () => undefined, run: () => undefined, ...flow };
}

export function isFlow(value: unknown): value is FoundFlow {
  return typeof value === "object" && value !== null && "isFlow" in value && value.isFlow === true;
}

function withoutModules(statement: string) {
  return statement
    .replaceAll(
      /^import ((?:[^"']|\n)*?) from "([^"]*)"(?: with \{.*\})?;$/gm,
      (_all, clause: string, from) => {
        const given = /\.yml(\.js)?$/.test(from) ? "inertConfig" : "inert";
        const [, whole = "", named] = /^([\w$]*|\* as [\w$]+)(?:, )?(\{[^}]*\})?$/.exec(clause) ?? [];
        const one = whole === "" ? "" : `var ${whole.replace("* as ", "")} = ${given};`;
        return named === undefined ? one : `${one} var ${named.replaceAll(" as ", ": ")} = ${given};`;
      },
    )
    .replaceAll(/^import "[^"]*";$/gm, "")
    .replaceAll(/^export \{[^}]*\}(?: from "[^"]*")?;$/gm, "")
    .replaceAll(/^export \* from "[^"]*";$/gm, "")
    .replaceAll("import.meta", "inert");
}
