// Loaded before the server: on a signal its event loop stands still for ever, as a flaw of ours might do it.
process.on("SIGUSR2", () => {
  for (;;);
});
