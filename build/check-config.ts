/**
 * A plugin of serverless: refuses to build while a file of config/ does not fit. The bundler would refuse, too, but say it
 * between lines of its own, file by file.
 */
export default class CheckConfig {
  readonly hooks: Readonly<Record<string, () => Promise<void>>>;

  constructor({ serviceDir, classes }: Serverless) {
    const check = async () => {
      // Loaded then: serverless takes plugins by `require`, and what is below waits for a file of the project's.
      const { checkConfigFiles } = await import("./check-config-files.ts");
      const mistakes = await checkConfigFiles(serviceDir);
      // An error of this class is shown without a stack.
      if (mistakes.length > 0) throw new classes.Error(mistakes.join("\n"), "CONFIG_DOES_NOT_FIT");
    };
    this.hooks = {
      "before:package:initialize": check,
      "before:deploy:function:initialize": check,
      "before:run:run": check, // the local world's build
    };
  }
}

/** What a plugin uses of serverless. */
interface Serverless {
  readonly serviceDir: string;
  readonly classes: { readonly Error: new (message: string, code: string) => Error };
}
