const mark = "[redacted]";

// A name that tells of a secret, and the text behind it. A text that was cut has no end.
const named =
  /("[^"\\]*(?:api_?key|token|password|secret|credential|authorization|private_?key)[^"\\]*"\s*:\s*)"(?:[^"\\]|\\.)*(?:"|\\?$)/gi;

/** Hides the texts of a JSON text's fields whose names tell of secrets, also where the text is cut (pure). */
export function maskFields(text: string): string {
  return text.replace(named, `$1"${mark}"`);
}
