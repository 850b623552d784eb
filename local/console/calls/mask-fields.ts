const mark = "[redacted]";

// A field's name and its text; a text that was cut has no end. No part can be read in two ways: the work grows with the length.
const field = /"([^"\\]{1,200})"(\s*:\s*)"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/g;

const secretName = /api_?key|token|password|secret|credential|authorization|private_?key/i;

/** Hides the texts of a JSON text's fields whose names tell of secrets, also where the text is cut (pure). */
export function maskFields(text: string): string {
  return text.replace(field, (whole: string, name: string, between: string) =>
    secretName.test(name) ? `"${name}"${between}"${mark}"` : whole,
  );
}
