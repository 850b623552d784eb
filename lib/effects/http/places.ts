/** Where a host is, in place of what DNS says. Its name, in certificates too, stays. */
export interface Place {
  readonly address: string;
  readonly port: number;
}

/**
 * Reads where hosts are that DNS does not know, or knows elsewhere, such as `tickets.example.com=10.1.2.3:8443`.
 * @returns gives the place of a host as a URL names it, with its port where that is not 443; undefined for all others
 * @throws TypeError for what is no such text
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
