import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A self-signed certificate and its key, as PEM: for TLS servers of tests. */
export function createSelfSigned(hosts: readonly string[]): { readonly cert: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(oid("06082a8648ce3d040302")); // ecdsa-with-SHA256
  const name = sequence(
    set(sequence(oid("0603550403"), tagged(0x0c, Buffer.from("a test's own authority")))),
  );
  const validity = sequence(
    tagged(0x18, Buffer.from("20200101000000Z")),
    tagged(0x18, Buffer.from("21200101000000Z")),
  );
  const isAuthority = tagged(0x04, sequence(tagged(0x01, Buffer.from([0xff]))));
  const names = sequence(...hosts.map((host) => tagged(0x82, Buffer.from(host))));
  const extensions = sequence(
    sequence(oid("0603551d13"), tagged(0x01, Buffer.from([0xff])), isAuthority),
    sequence(oid("0603551d11"), tagged(0x04, names)),
  );
  const toBeSigned = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, extensions),
  );
  const signature = tagged(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", toBeSigned, privateKey)]));
  const der = sequence(toBeSigned, algorithm, signature);
  const body = der.toString("base64").replace(/.{64}(?=.)/g, "$&\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function set(...parts: readonly Buffer[]): Buffer {
  return tagged(0x31, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return Buffer.from(hex, "hex");
}
