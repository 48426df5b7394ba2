// A module of its own, because bundlers include all of hash-wasm where it is imported dynamically as a whole.
export { scrypt } from "hash-wasm";
