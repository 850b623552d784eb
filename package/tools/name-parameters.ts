import { type Application, type Context, Converter, ReflectionKind } from "typedoc";

/** Gives a name to the parameters that the code takes apart at once, and that TypeDoc therefore calls `__namedParameters`. */
export function nameParameters(app: Application): void {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context: Context) => {
    for (const parameter of context.project.getReflectionsByKind(ReflectionKind.Parameter)) {
      if (parameter.name === "__namedParameters") parameter.name = "options";
    }
  });
}
