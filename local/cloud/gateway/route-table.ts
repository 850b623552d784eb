export interface Route {
  /** `POST /webhooks/{appId}` */
  readonly key: string;
  readonly functionKey: string;
}

export interface MatchedRoute extends Route {
  readonly pathParameters: Readonly<Record<string, string>>;
}

/**
 * Finds the route: an exact path before names, a name before the rest, the method before ANY, `$default`
 * last.
 * @param path decoded. UNVERIFIED: an encoded slash separates names, a slash at the end makes another path
 * @see
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html#http-api-develop-routes.evaluation
 */
export function findRoute(routes: readonly Route[], method: string, path: string): MatchedRoute | undefined {
  const matches = routes.flatMap((route) => {
    const matched = match(route, method, path);
    return matched ? [matched] : [];
  });
  matches.sort((one, other) => (one.rank < other.rank ? -1 : 1));
  const [best] = matches;
  return best?.route;
}

/** `*` becomes `$default`. */
export function writeRouteKey(event: string | { method: string; path: string }): string {
  const text = typeof event === "string" ? event : `${event.method} ${event.path}`;
  const [method = "", path] = text.trim().split(/\s+/);
  if (path === undefined || path === "*") return "$default";
  return `${method === "*" ? "ANY" : method.toUpperCase()} ${path}`;
}

function match(
  route: Route,
  method: string,
  path: string,
): { route: MatchedRoute; rank: string } | undefined {
  if (route.key === "$default") return { route: { ...route, pathParameters: {} }, rank: "z" };
  const [wantedMethod, wantedPath = ""] = route.key.split(" ");
  if (wantedMethod !== "ANY" && wantedMethod !== method) return undefined;
  const wanted = segmentsOf(wantedPath);
  const given = segmentsOf(path);
  const pathParameters: Record<string, string> = {};
  let rank = "";
  for (const [index, segment] of wanted.entries()) {
    const [, name, rest] = segment.match(/^\{([^}+]+)(\+)?\}$/) ?? [];
    const value = rest ? given.slice(index).join("/") : given[index];
    if (value === undefined || value === "") return undefined;
    if (name === undefined && segment !== value) return undefined;
    if (name !== undefined) pathParameters[name] = value;
    rank += name === undefined ? "a" : rest ? "c" : "b";
    if (rest) return { route: { ...route, pathParameters }, rank: rank + methodRank(wantedMethod) };
  }
  if (given.length !== wanted.length) return undefined;
  return { route: { ...route, pathParameters }, rank: rank + methodRank(wantedMethod) };
}

function methodRank(method: string | undefined): string {
  return method === "ANY" ? "2" : "1";
}

function segmentsOf(path: string): string[] {
  return path.split("/").slice(1);
}
