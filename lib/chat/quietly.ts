/** Does not wait, ignores errors. */
export function quietly(act: () => unknown): void {
  (async () => act())().catch(() => undefined);
}
