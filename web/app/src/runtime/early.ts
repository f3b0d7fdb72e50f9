// Puts the small files of a model on their way while the Worker and its kernels still start; the
// Worker then finds them in the browser's cache. The weights, the large file, it fetches itself.

const smallFiles = ['config.json', 'tokenizer.json', 'examples.safetensors']

export function fetchEarly(folder: URL): void {
  for (const name of smallFiles) {
    // Read to the end, or it is not cached. Whatever fails here, the Worker meets again and reports.
    fetch(new URL(name, folder))
      .then((response) => response.arrayBuffer())
      .catch(() => undefined)
  }
}
