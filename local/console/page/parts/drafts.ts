/** Texts that were not sent yet: a reload keeps them. */
export function readDraft(key: string): string | undefined {
  return localStorage.getItem(`draft ${key}`) ?? undefined;
}

export function keepDraft(key: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(`draft ${key}`);
    else localStorage.setItem(`draft ${key}`, text);
  } catch {
    // The storage is full; the page works without it.
  }
}
