/**
 * Refuses to build with an invalid config/: the bundler would report it file by file between its own lines.
 */
export default class CheckConfig {
  readonly hooks: Readonly<Record<string, () => Promise<void>>>;

  constructor({ serviceDir, classes }: Serverless) {
    const check = async () => {
      // Lazy: serverless loads plugins by `require`; this module awaits a file.
      const { checkConfigFiles } = await import("./check-config-files.ts");
      const mistakes = await checkConfigFiles(serviceDir);
      // Errors of this class are shown without a stack.
      if (mistakes.length > 0) throw new classes.Error(mistakes.join("\n"), "CONFIG_DOES_NOT_FIT");
    };
    this.hooks = {
      "before:package:initialize": check,
      "before:deploy:function:initialize": check,
      "before:run:run": check,
    };
  }
}

interface Serverless {
  readonly serviceDir: string;
  readonly classes: { readonly Error: new (message: string, code: string) => Error };
}
