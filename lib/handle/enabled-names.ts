/** What configuration says of one trigger or flow. */
export interface EnabledName {
  readonly name: string;
  /** It shows what it would do, until the setting at run time says otherwise. */
  readonly isShadowed: boolean;
}

/**
 * Reads which triggers or flows are turned on.
 * @param text comma-separated names; `(shadow)` stands behind those that only show what they would do
 */
export function readEnabledNames(text: string): readonly EnabledName[] {
  return text.split(",").flatMap((part) => {
    const [, name = "", shadow] = /^\s*(.*?)\s*(\(shadow\))?\s*$/s.exec(part) ?? [];
    return name === "" ? [] : [{ name, isShadowed: shadow !== undefined }];
  });
}
