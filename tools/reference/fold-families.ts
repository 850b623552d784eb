import {
  type Application,
  type Context,
  Converter,
  DeclarationReflection,
  ReflectionKind,
  ReflectionType,
  UnknownType,
} from "typedoc";

/** Reduces a family to its operations' names: the client's interfaces document inputs and answers. */
export function foldFamilies(app: Application): void {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context: Context) => {
    for (const variable of context.project.getReflectionsByKind(ReflectionKind.Variable)) {
      if (!(variable instanceof DeclarationReflection) || !(variable.type instanceof ReflectionType))
        continue;
      const { declaration } = variable.type;
      const operations = declaration.children ?? [];
      if (operations.length === 0 || !operations.every(isOperation)) continue;
      const names = operations.map(({ name }) => name);
      context.project.removeReflection(declaration);
      variable.type = new UnknownType(`Family: ${names.join(", ")}`);
      delete variable.defaultValue;
      leadToClient(context, variable);
    }
  });
}

function leadToClient(context: Context, variable: DeclarationReflection): void {
  const name = `${variable.name.charAt(0).toUpperCase()}${variable.name.slice(1)}Client`;
  const target = variable.parent?.isDeclaration() ? variable.parent.getChildByName([name]) : undefined;
  const found =
    target ?? context.project.getReflectionsByKind(ReflectionKind.Interface).find((one) => one.name === name);
  if (found === undefined || variable.comment === undefined) return;
  variable.comment.summary.push(
    { kind: "text", text: "\n\nWhat each operation takes and answers: " },
    { kind: "inline-tag", tag: "@link", text: name, target: found },
    { kind: "text", text: "." },
  );
}

/** An object with an id, a request and an answer. */
export function isOperation(reflection: DeclarationReflection): boolean {
  const { type } = reflection;
  if (!(type instanceof ReflectionType)) return false;
  const names = new Set(type.declaration.children?.map(({ name }) => name));
  return names.has("id") && names.has("request") && names.has("answer");
}
