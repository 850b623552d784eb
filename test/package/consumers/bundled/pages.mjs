import { createPlatform } from "cometchat-functions/platform";

// Reads the platform's pages, and prints the statuses of its answers and its ledger.
async function readPages() {
  const platform = await createPlatform();
  const read = (path) => fetch(`${platform.url}/_platform${path}`);
  const pages = await Promise.all(
    ["/", "/fidelity", "/apps/local-app/messages", "/apps/local-app/deliveries"].map(read),
  );
  const ledger = await read("/fidelity.json");
  const { data } = await ledger.json();
  await platform.close();
  const statuses = [...pages, ledger].map(({ status }) => status);
  return { statuses, rows: data.map(({ kind, id, level }) => [kind, id, level]) };
}

void readPages().then((said) => console.log(JSON.stringify(said)));
