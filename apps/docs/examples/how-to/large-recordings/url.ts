import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openNpy, openUrl, writeNpy } from "@dechirp/io";

// A server with one file of 1000 × 256 complex numbers. Its values are the numbers of their rows.
const [rows, columns] = [1000, 256];
const file = writeNpy(
  { dtype: "c64", shape: [rows, columns] },
  Float32Array.from({ length: 2 * rows * columns }, (_, i) => Math.floor(i / (2 * columns))),
);
const server = createServer((request, response) => {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
  const [from, to] = [Number(first), Math.min(Number(last) + 1, file.length)];
  response.writeHead(206, { "Content-Range": `bytes ${from}-${to - 1}/${file.length}`, ETag: '"1"' });
  response.end(file.subarray(from, to));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/raw.npy`;

// #region url
const access = await openUrl(url, { headers: { "X-Client": "example" }, parallel: 8 });
console.log(access.size);

const array = await openNpy(access, { file: access.name }); // reads the header
console.log(array.layout);
const some = await array.rows(998, 2); // reads only these rows
console.log(some[0], some[some.length - 1]);
await access.close();
// #endregion url
server.close();
server.closeAllConnections();
