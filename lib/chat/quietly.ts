/** Does what nobody waits for: whatever it throws, at once or later, stops nothing. */
export function quietly(act: () => unknown): void {
  (async () => act())().catch(() => undefined);
}
