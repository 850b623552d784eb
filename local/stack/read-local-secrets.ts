import { UsageError } from "../../build/read-arguments.ts";

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
