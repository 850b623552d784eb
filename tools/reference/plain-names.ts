import { type Application, type Context, Converter, ReflectionKind } from "typedoc";

/** Also parameters that the code destructures, which TypeDoc calls `__namedParameters`. */
export function givePlainNames(app: Application): void {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }: Context) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module))
      module.name = `cometchat-functions/${module.name.replace(/^package\//, "")}`;
    for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter))
      if (parameter.name === "__namedParameters") parameter.name = "options";
  });
}
