import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** Writes a part of a token. */
export function part(value: object | string): string {
  return Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
}

/** An issuer's key pair, with its public half as in a key set. */
export function createIssuerKey(kid: string, kind: "RS256" | "ES256" = "RS256") {
  const { privateKey, publicKey } =
    kind === "RS256"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwk = { ...publicKey.export({ format: "jwk" }), kid, use: "sig", alg: kind };
  return { kid, alg: kind, privateKey, publicKey, jwk };
}

export type IssuerKey = ReturnType<typeof createIssuerKey>;

export interface TokenParts {
  /** Fields of the header besides `alg`, `typ` and `kid`, or instead of them; undefined removes one. */
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>> | string;
}

/** Signs a token by hand, so that it may be invalid in any way. */
export function signToken({ privateKey, alg, kid }: IssuerKey, { header = {}, claims }: TokenParts): string {
  return signParts({ privateKey, alg, kid }, part({ alg, typ: "JWT", kid, ...header }), part(claims));
}

/** Signs two encoded parts. */
export function signParts(
  { privateKey, alg }: Pick<IssuerKey, "privateKey" | "alg" | "kid">,
  head: string,
  claims: string,
): string {
  return `${head}.${claims}.${signBytes(privateKey, alg, `${head}.${claims}`)}`;
}

/** Signs with a shared secret. */
export function signWithSecret(
  secret: string | Buffer,
  { header = {}, claims }: TokenParts,
  digest = "sha256",
): string {
  const signed = `${part({ alg: "HS256", typ: "JWT", ...header })}.${part(claims)}`;
  return `${signed}.${createHmac(digest, secret).update(signed).digest("base64url")}`;
}

function signBytes(key: KeyObject, alg: IssuerKey["alg"], text: string) {
  const options = alg === "ES256" ? ({ key, dsaEncoding: "ieee-p1363" } as const) : key;
  return sign("sha256", Buffer.from(text), options).toString("base64url");
}
