const mark = "[redacted]";

// A name and its text; a truncated text has no end. The pattern is unambiguous, so the time is linear.
const field = /"([^"\\]{1,200})"(\s*:\s*)"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/g;

const secretName = /api_?key|token|password|secret|credential|authorization|private_?key/i;

/** Texts of secret-like names, also in truncated JSON. */
export function maskFields(text: string): string {
  return text.replace(field, (whole: string, name: string, between: string) =>
    secretName.test(name) ? `"${name}"${between}"${mark}"` : whole,
  );
}
