/** Makes answers about something else: every text, number and boolean is another; nothing where something was. */
export function wrongAnswers(answer: unknown): unknown[] {
  return [changed(answer), undefined, null, {}, { success: false }];
}

/**
 * Makes one answer for each value that was sent and came back, at the same place: with only that value changed.
 * Path values count as sent at the top of the body; of a list, each item is looked at.
 */
export function wrongEchoes(answer: unknown, sent: object): { at: string; answer: unknown }[] {
  return echoes(answer, sent).map((path) => ({ at: path.join("."), answer: replaceAt(answer, path) }));
}

type Path = readonly string[];

function echoes(answer: unknown, sent: unknown, path: Path = []): Path[] {
  if (typeof sent !== "object" || sent === null) {
    return Object.is(answer, sent) && answer !== undefined ? [path] : [];
  }
  if (typeof answer !== "object" || answer === null) return [];
  if (Array.isArray(answer) && !Array.isArray(sent)) {
    return answer.flatMap((item, index) => echoes(item, sent, [...path, String(index)]));
  }
  return Object.entries(sent).flatMap(([name, value]) =>
    Object.hasOwn(answer, name)
      ? echoes((answer as Record<string, unknown>)[name], value, [...path, name])
      : [],
  );
}

function replaceAt(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined) return changed(value);
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[name] = replaceAt(copy[name], rest);
  return copy;
}

function changed(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? ["other"] : value.map(changed);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, changed(inner)]));
  }
  if (typeof value === "boolean") return !value;
  return typeof value === "number" ? value + 1 : "other";
}
