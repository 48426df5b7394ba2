// Loaded before the server: on a signal its event loop stands still for ever, as a flaw of ours might do it. It waits
// in the loop and takes no processor from other tests.
process.on("SIGUSR2", () => {
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
});
