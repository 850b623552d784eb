import { UsageError } from "../../build/read-arguments.ts";

/**
 * `--secret ticket-token=abc`
 * @throws UsageError for another form; it does not quote the value
 */
export function readLocalSecrets(given: readonly string[] = []): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((text) => {
      const [, field, value] = /^([\w-]+)=(.+)$/s.exec(text) ?? [];
      if (field !== undefined && value !== undefined) return [field, value];
      throw new UsageError(
        "--secret wants a field of the app's secret and its value, such as ticket-token=abc.",
      );
    }),
  );
}
