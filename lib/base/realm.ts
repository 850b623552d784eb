// `instanceof` does not know the classes of another realm.

export function isDate(value: unknown): value is Date {
  return tagOf(value) === "Date";
}

export function isValidDate(value: unknown): value is Date {
  return isDate(value) && !Number.isNaN(value.getTime());
}

export function isPromise(value: unknown): value is Promise<unknown> {
  return tagOf(value) === "Promise";
}

export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error || /^(Error|DOMException)$/.test(tagOf(value));
  } catch {
    return false; // a proxy that refuses to be read
  }
}

/** Returns an empty text if the value has a tag of its own or cannot be read. */
function tagOf(value: unknown): string {
  try {
    return Object.prototype.toString.call(value).slice(8, -1);
  } catch {
    return "";
  }
}
