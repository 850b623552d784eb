export interface EnabledName {
  readonly name: string;
  /** Unless the run-time setting differs. */
  readonly isShadowed: boolean;
}

/** @param text comma-separated names, with `(shadow)` after those in shadow */
export function readEnabledNames(text: string): readonly EnabledName[] {
  return text.split(",").flatMap((part) => {
    const [, name = "", shadow] = /^\s*(.*?)\s*(\(shadow\))?\s*$/s.exec(part) ?? [];
    return name === "" ? [] : [{ name, isShadowed: shadow !== undefined }];
  });
}
