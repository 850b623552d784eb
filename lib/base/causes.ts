/** A longer chain is cyclic. */
const maxCauses = 10;

/** Outermost first, at most ten. Never throws. */
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
    return undefined; // an unreadable cause counts as none
  }
}
