export function deedOf(_trigger: string, _family: string): string | undefined {
  return undefined;
}
