import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { sendRaw } from "../cloud/send-raw.ts";
import { listeningSockets } from "../helpers/listening-sockets.ts";
import { interrupt, isLinux, startProcess } from "../helpers/start-process.ts";

const evil = "https://evil.example";

/** Asks at a port as it is typed, without a client that would mend the host. */
async function ask(port: number, line: string, headers: readonly string[]): Promise<number> {
  const head = [`${line} HTTP/1.1`, ...headers, "Connection: close", "Content-Length: 0", "", ""].join(
    "\r\n",
  );
  return (await sendRaw(`http://127.0.0.1:${port}`, [head])).status;
}

/** Each entry below a folder, with the rights that others than its owner have. */
function openToOthers(folder: string): string[] {
  return [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  ]
    .filter((file) => (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077)
    .map((file) => file.slice(folder.length));
}

describe.runIf(isLinux).each(["umask 022", "umask 000"])("a world under %s", (prefix) => {
  it("listens on this machine alone, to nobody under a foreign name, and writes for its owner alone", async () => {
    const folder = mkdtempSync(join(tmpdir(), "who-may-come-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [data, temporary] = [join(folder, "data"), join(folder, "tmp")];
    mkdirSync(temporary);
    const started = startProcess(["--port", "0", "--data", data], {
      prefix,
      environment: { TMPDIR: temporary },
    });
    const output = await started.until("Ctrl-C ends everything");
    const portOf = (label: string) =>
      Number(new RegExp(`${label} .*http://127\\.0\\.0\\.1:(\\d+)`).exec(output)?.[1] ?? Number.NaN);
    const [platform, gateway] = [portOf("Chat API"), portOf("Own functions")];

    const sockets = listeningSockets(started.child.pid ?? 0);
    const ports = sockets.map(({ port }) => port);
    const asked = await Promise.all(
      ports.map(async (port) => ({
        port,
        rebound: await ask(port, "GET /", ["Host: evil.example"]),
        rebound6: await ask(port, "POST /", [`Host: 127.0.0.1.evil.example:${port}`]),
        page: await ask(port, "POST /_platform/clock", [`Host: 127.0.0.1:${port}`, `Origin: ${evil}`]),
        nowhere: await ask(port, "POST /_platform/clock", [`Host: 127.0.0.1:${port}`, "Origin: null"]),
        image: await ask(port, "GET /_platform/faults", [
          ...[`Host: 127.0.0.1:${port}`, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"],
        ]),
      })),
    );

    // The console, the platform, the gateway, a stand-in for each AWS service, and the API of each function's runtime.
    expect(ports.length).toBeGreaterThan(12);
    expect(new Set(sockets.map(({ address }) => address))).toEqual(new Set(["0100007F"]));
    for (const { port, rebound, rebound6, ...fromPages } of asked) {
      expect([port, rebound, rebound6]).toEqual([port, 403, 403]);
      // The gateway is open to pages, as the real one: it finds no such path.
      const told = port === gateway ? 404 : 403;
      expect([port, fromPages]).toEqual([port, { page: told, nowhere: told, image: told }]);
    }
    // As the real one, the platform's API takes a page's call: it wants a key.
    const [, key = ""] = /apikey: (\w+)/.exec(output) ?? [];
    const page = [`Host: 127.0.0.1:${platform}`, `Origin: ${evil}`];
    expect(await ask(platform, "GET /local-app.api-us/v3/users", [...page, `apikey: ${key}`])).toBe(200);
    expect(await ask(platform, "GET /local-app.api-us/v3/users", page)).toBe(401);
    // Its own pages may turn its controls.
    const own = [`Host: 127.0.0.1:${platform}`, `Origin: http://127.0.0.1:${platform}`];
    expect(await ask(platform, "GET /_platform/faults", own)).toBe(200);

    expect(openToOthers(data)).toEqual([]);
    expect(readdirSync(data)).toEqual(expect.arrayContaining(["platform.sqlite-wal", "world.json"]));
    // What is below a folder that is closed to others is closed to them.
    const made = readdirSync(temporary).map((name) => join(temporary, name));
    expect(made.filter((file) => statSync(file).mode & 0o077)).toEqual([]);
    expect(await interrupt(started.child)).toBe(0);
    expect(openToOthers(data)).toEqual([]);
  });
});
