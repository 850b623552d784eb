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
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }: Context) => {
    for (const variable of project.getReflectionsByKind(ReflectionKind.Variable)) {
      if (!(variable instanceof DeclarationReflection) || !(variable.type instanceof ReflectionType))
        continue;
      const { declaration } = variable.type;
      const operations = declaration.children ?? [];
      if (operations.length === 0 || !operations.every(isOperation)) continue;
      project.removeReflection(declaration);
      variable.type = new UnknownType(`Family: ${operations.map(({ name }) => name).join(", ")}`);
      delete variable.defaultValue;
    }
  });
}

function isOperation({ type }: DeclarationReflection): boolean {
  const fields = type instanceof ReflectionType ? (type.declaration.children ?? []) : [];
  return ["id", "request", "answer"].every((name) => fields.some((field) => field.name === name));
}
