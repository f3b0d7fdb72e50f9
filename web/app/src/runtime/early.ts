// Puts the small files of a model on their way while the Worker and its kernels still start; the
// Worker then finds them in the browser's cache. The weights, the large file, it fetches itself.

export function fetchEarly(folder: URL, files: readonly string[]): void {
  for (const name of files) {
    // Read to the end, or it is not cached. Whatever fails here, the Worker meets again and reports.
    fetch(new URL(name, folder))
      .then((response) => response.arrayBuffer())
      .catch(() => undefined)
  }
}
