// Loaded when it is first used. By its name: a bundler that makes one file of all would take all of hash-wasm.
export { scrypt } from "hash-wasm";
