// A program that says whether a socket is heard while one turn of the event loop is asked for after another.
import { nextTurn } from "../../../wire/bytes.ts";
import { once } from "node:events";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";

const TURNS = 100;
const TURN_MS = 5;

const server = createServer((_, response) => response.end()).listen(0, "127.0.0.1");
await once(server, "listening");
let isAnswered = false;
get({ port: (server.address() as AddressInfo).port, agent: false }, () => (isAnswered = true));
for (let turns = 0; turns < TURNS && !isAnswered; turns++) {
  const until = performance.now() + TURN_MS;
  while (performance.now() < until);
  await nextTurn();
}
console.log(isAnswered ? "heard" : "not heard");
process.exit();
