export type Group = Readonly<Record<string, unknown>>;

export function isGroup(value: unknown): value is Group {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A copy with another value there, at the end if the name is new; without the field if it is undefined. */
export function withField(value: Group | readonly unknown[], name: string, inner: unknown): unknown {
  const entries: [string, unknown][] = Object.entries(value);
  const place = entries.findIndex(([one]) => one === name);
  if (inner === undefined) entries.splice(place, 1);
  else if (place === -1) entries.push([name, inner]);
  else entries[place] = [name, inner];
  // Unlike assignment, this keeps a field named __proto__.
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}

export function countValues(value: unknown): number {
  const inner = typeof value === "object" && value !== null ? Object.values(value) : [];
  return inner.reduce<number>((sum, one) => sum + countValues(one), 1);
}

export function write(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

/** JSON as its value, any other text as it is. */
export function readable(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The first integer that JavaScript would round. */
export function roundedIn(text: string): string | undefined {
  const outsideTexts = text.replace(/"(?:\\.|[^"\\])*"/g, '""');
  const numbers = outsideTexts.match(/-?\d[\d.eE+-]*/g) ?? [];
  return numbers.filter((number) => /^-?\d+$/.test(number)).find(isRounded);
}

function isRounded(digits: string): boolean {
  const number = Number(digits);
  return !Number.isFinite(number) || BigInt(digits) !== BigInt(number);
}
