/** Undefined for other paths. */
export type AppOfPath = (pathname: string) => string | undefined;

const placeholder = "{appId}";

/**
 * @param path such as `/webhooks/{appId}`; `{appId}` may be omitted for one app
 * @throws RangeError if the path does not begin with a slash, cannot occur, or does not distinguish several
 * apps
 */
export function createAppOfPath(path: string, appIds: readonly string[]): AppOfPath {
  if (!path.startsWith("/")) throw new RangeError(`The path "${path}" must begin with a slash.`);
  // Would always be answered 404; hosts write `:appId`, which this does not support.
  const example = path.replace(placeholder, "app");
  const isPath = URL.canParse(`http://localhost${example}`);
  if (!isPath || new URL(`http://localhost${example}`).pathname !== example || path.includes("/:")) {
    throw new RangeError(
      `The path "${path}" can be no request's: write {appId} for the app, and encode the rest.`,
    );
  }
  const [before = "", after, ...others] = path.split(placeholder);
  if (after === undefined) {
    const [onlyApp] = appIds;
    if (appIds.length === 1) return (pathname) => (pathname === path ? onlyApp : undefined);
    throw new RangeError(`The path "${path}" must hold {appId}, as there are ${appIds.length} apps.`);
  }
  if (others.length > 0) throw new RangeError(`The path "${path}" holds {appId} twice.`);
  return (pathname) => {
    if (!pathname.startsWith(before) || !pathname.endsWith(after)) return undefined;
    const middle = pathname.slice(before.length, pathname.length - after.length);
    return middle === "" || middle.includes("/") ? undefined : decode(middle);
  };
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
