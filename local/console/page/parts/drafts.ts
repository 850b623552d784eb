/** A reload keeps unsent text. Each tab has its own; new tabs begin with the latest. Empty: sent already. */
export function readDraft(key: string): string | undefined {
  const name = `draft ${key}`;
  const text = sessionStorage.getItem(name) ?? localStorage.getItem(name) ?? "";
  // Another tab may send it.
  if (text !== "") write(sessionStorage, name, text);
  return text || undefined;
}

export function keepDraft(key: string, text = ""): void {
  const name = `draft ${key}`;
  const before = sessionStorage.getItem(name);
  if (text !== "") write(localStorage, name, text);
  else if (before === localStorage.getItem(name)) localStorage.removeItem(name);
  if (text !== "" || before !== null) write(sessionStorage, name, text);
}

function write(storage: Storage, name: string, text: string) {
  try {
    storage.setItem(name, text);
  } catch {
    // The storage is full: the page works without.
  }
}

const secretField = /("[^"]*(?:secret|passw|token|(?<!search)key(?!word))[^"]*"\s*:\s*)"(?:[^"\\]|\\.)*"?/gi;

/** Removes texts of secret-like fields from JSON, also while typed. */
export function withoutSecrets(json: string): string {
  return json.replace(secretField, '$1""');
}
