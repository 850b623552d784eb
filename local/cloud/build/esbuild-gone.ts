export function isEsbuildGone(text: string): boolean {
  return /The service (is no longer running|was stopped)/.test(text);
}
