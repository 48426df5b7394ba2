// Loaded before the server: on a signal something goes wrong that nobody catches, as a library might do it.
process.on("SIGUSR2", () => {
  setTimeout(() => void Promise.reject(new RangeError("canary")), 0);
  setTimeout(() => {
    throw new TypeError("canary");
  }, 100);
});
