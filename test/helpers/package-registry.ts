import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { manifestOf } from "./made-app.ts";

/**
 * Starts a stand-in for npm's registry with one package, in the versions of some packed files, the last of
 * which is the latest; it has no other package. It ends with the test. Returns its address.
 * @see https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md
 */
export async function startPackageRegistry(packedFiles: readonly string[]): Promise<string> {
  const files = packedFiles.map((file) => {
    const bytes = readFileSync(file);
    const manifest = manifestOf(file);
    const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
    return { bytes, manifest, integrity, path: `/files/${manifest.name}-${manifest.version}.tgz` };
  });
  const [
    {
      manifest: { name },
    } = { manifest: { name: "" } },
  ] = files;
  const server = createServer(({ url = "" }, response) => {
    const file = files.find(({ path }) => path === url);
    if (file !== undefined) return void response.end(file.bytes);
    if (url === `/${name}`) return answer(response, 200, metadata(`http://127.0.0.1:${port()}`));
    return answer(response, 404, { error: "Not found" });
  });
  const metadata = (address: string) => ({
    name,
    "dist-tags": { latest: files.at(-1)?.manifest.version },
    versions: Object.fromEntries(
      files.map(({ manifest, integrity, path }) => [
        manifest.version,
        { ...manifest, dist: { tarball: `${address}${path}`, integrity } },
      ]),
    ),
  });
  const port = () => (server.address() as AddressInfo).port;
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${port()}/`;
}

function answer(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
