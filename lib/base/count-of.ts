/** Returns `1 delivery`, `3 deliveries`. @param many default: with an s */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
