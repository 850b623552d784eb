/** No error that means well has more. */
const maxCauses = 10;

/** Gives an error and what it was caused by, the outermost first; a ring of causes ends after ten. Never throws. */
export function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  let one = error;
  while (one instanceof Error && causes.length < maxCauses) {
    causes.push(one);
    one = causeOf(one);
  }
  return causes;
}

function causeOf(error: Error): unknown {
  try {
    return error.cause;
  } catch {
    return undefined; // an error that hides its cause has none for us
  }
}
