/** No error that means well has more. */
const maxCauses = 10;

/** Gives an error and what it was caused by, the outermost first; a ring of causes ends after ten. */
export function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let one = error; one instanceof Error && causes.length < maxCauses; one = one.cause) causes.push(one);
  return causes;
}
