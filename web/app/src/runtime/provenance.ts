// Completes an experiment with where its numbers come from: the hashes of the model and of the data,
// the version of the module, the day, and the link that shows it again.
import { sha256, type Evidence, type Experiment } from '../export/evidence'
import { linkTo, view } from '../state/view.svelte'
import { session, type ModelName } from './session.svelte'
import { labelOf, subject } from './subject.svelte'

const hashes = new Map<ModelName, Promise<string>>()

/** SHA-256 of the weights that this site serves; the browser has them in its cache. */
function modelHash(name: ModelName): Promise<string> {
  const known = hashes.get(name) ?? hashOf(name)
  hashes.set(name, known)
  known.catch(() => hashes.delete(name))
  return known
}

async function hashOf(name: ModelName): Promise<string> {
  const url = new URL(`models/${name}/model.safetensors`, document.baseURI)
  const response = await fetch(url, { cache: 'force-cache' })
  if (!response.ok)
    throw new Error(
      `${url.pathname}: expected the weights; received status ${String(response.status)}`,
    )
  return sha256(new Uint8Array(await response.arrayBuffer()))
}

export async function evidenceOf(experiment: Experiment): Promise<Evidence> {
  const { id, usesModel, data, options, seeds, sentence, columns, rows } = experiment
  // Before anything is awaited: what is shown may change meanwhile.
  const link = linkTo(view.current)
  const { name } = subject
  const model = labelOf(name)
  return {
    experiment: id,
    model: usesModel ? { name: model, sha256: await modelHash(name) } : null,
    data: { kind: data.kind, name: data.name, sha256: await sha256(data.content) },
    headwise: `${session.info?.version ?? ''} (${session.info?.build ?? ''})`,
    date: new Date().toISOString().slice(0, 10),
    options,
    seeds,
    sentence: { en: sentence('en'), ko: sentence('ko') },
    link,
    columns,
    rows,
  }
}
