/** Replaces a host's DNS entry. Its name stays, also in certificates. */
export interface Place {
  readonly address: string;
  readonly port: number;
}

/**
 * Reads addresses that replace DNS, such as `tickets.example.com=10.1.2.3:8443`. The result takes a URL's
 * host (with its port unless 443).
 * @throws TypeError
 */
export function readPlaces(texts: readonly string[]): (host: string) => Place | undefined {
  const places = new Map(
    texts.map((text) => {
      const [, host = "", v6, v4, port] = form.exec(text) ?? [];
      const address = v6 ?? v4;
      if (address === undefined || process.getBuiltinModule("node:net").isIP(address) === 0)
        throw new TypeError(
          "REQUEST_CONNECT_TO names something that is no place, such as desk.example.com=10.1.2.3:8443.",
        );
      return [host, { address, port: Number(port) }];
    }),
  );
  return (host) => places.get(host);
}

const form = /^([a-z0-9.:-]+)=(?:\[([0-9a-f:.]+)\]|([0-9.]+)):(\d{1,5})$/;
