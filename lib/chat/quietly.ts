/** Runs a function without waiting for it, and ignores its errors. */
export function quietly(act: () => unknown): void {
  (async () => act())().catch(() => undefined);
}
