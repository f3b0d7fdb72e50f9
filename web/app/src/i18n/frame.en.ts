// The frame in English: header, text bar, dialogs, figure tools. Its type is the contract: a key
// that the other language lacks is a type error.
import type { ExampleId } from './examples'
import type { ModelName } from '../runtime/models.svelte'
import type { Language } from '../state/view'
import { link, term, type Inline } from './inline'

/** A model that this site serves, in words. */
interface ShippedWords {
  name: string
  shortName: string
  licence: string
  about: readonly Inline[]
}

export const frame = {
  name: 'Headwise',
  tagline: 'multi-head attention, computed in your browser',
  skip: 'Skip to the chapter',
  chapters: 'Chapters',
  chapterNames: {
    look: 'Look',
    why: 'Why many heads',
    steps: 'Four steps',
    scale: 'Why √dₖ',
    parameters: 'Heads and parameters',
    subspaces: 'Subspaces',
    roles: 'What heads do',
    ablation: 'Switching heads off',
    rank: 'Too thin',
    variants: 'Variants and their price',
    speed: 'Memory and speed',
    cross: 'Self, causal, cross',
    glossary: 'Glossary and references',
  },
  onThisPage: 'In this chapter',
  previousChapter: 'Previous chapter',
  nextChapter: 'Next chapter',
  close: 'Close',
  languageName: 'English',
  changeLanguage: 'Language',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  changeTheme: 'Theme',
  share: 'Copy link to this view',
  shared: 'Link copied',
  shareFailed: 'The browser does not allow copying. Copy the link from here:',
  waitingForPage: 'Loading the chapter …',
  chapterFailed: (name: string) => `The chapter “${name}” could not be loaded.`,
  figureFailed: 'This figure could not be loaded.',
  languageFailed: {
    en: 'The page could not be loaded in English.',
    ko: 'The page could not be loaded in Korean.',
  } satisfies Record<Language, string>,
  loadFailedHelp: 'Your text and view are kept in the address.',
  unreachable: 'The server does not answer.',

  headChoice: { layer: 'Layer', head: 'Head' },

  text: {
    label: 'Sentence',
    second: 'Second sentence',
    placeholder: 'Type a sentence',
    examples: 'Examples',
    tokens: (count: number) => (count === 1 ? '1 token' : `${String(count)} tokens`),
    tokensLabel: 'Tokens. Arrow keys move, Enter fixes the query token.',
    fixed: 'fixed query',
    tokenWeight: (head: string, token: string, weight: string) =>
      `${head} puts ${weight} of it on ${token}`,
    weightsUnder: (queryToken: string, head: string) =>
      `Under each token: the weight ${queryToken} gives it in ${head}.`,
    empty: 'No text: the model sees its two special tokens only.',
    cut: (used: number, left: number) =>
      `The model takes ${String(used)} tokens at most. The first ${String(used)} are used, ${String(left)} at the end are left out.`,
    cutPair: (used: number) =>
      `The model takes ${String(used)} tokens at most. What is beyond them in the second sentence is left out.`,
    korean:
      'This model was trained on English and does not read Korean. Its vocabulary takes a syllable apart into letters, shown in one box, or has nothing for a word at all: [UNK]. The weights are what the model computes, but they say nothing about what the sentence means.',
    unknown: (count: number) =>
      count === 1
        ? '[UNK] stands for a piece that is not in the model’s vocabulary: to the model it has no content.'
        : `The ${String(count)} tokens [UNK] stand for pieces that are not in the model’s vocabulary: to the model they have no content.`,
    wordPieces: 'Rare words come in pieces; ## continues the piece before.',
  },

  model: {
    open: 'Model',
    title: 'The model',
    choose: 'The chapters that take it: a click opens one.',
    chapters: 'Chapters',
    others: 'The models of this page',
    itsEncoder:
      'Of the translator, its encoder is looked at: the layers that read the English sentence.',
    state: {
      absent: 'not loaded',
      starting: 'starting',
      loading: 'loading',
      ready: 'ready',
      stopped: 'stopped',
      failed: 'failed',
    },
    percentLoaded: (share: string) => `${share} loaded`,
    shipped: {
      'minilm-l6': {
        name: 'all-MiniLM-L6-v2',
        shortName: 'MiniLM-L6',
        licence: 'Apache-2.0',
        about: [
          'A ',
          term('BERT'),
          '-style encoder, distilled by Microsoft (MiniLM) and trained by the Sentence-Transformers project to place sentences with the same meaning close together. Its weights are stored here in 8 bits each; the ',
          link('models/minilm-l6/README.md', 'model card'),
          ' tells what that changes.',
        ],
      },
      'translate-en-fr': {
        name: 'translate-en-fr',
        shortName: 'Translator',
        licence: 'MIT',
        about: [
          'A small ',
          term('encoder-decoder'),
          ' trained for this page on short everyday sentences, English to French: the form of the model of Vaswani et al., much smaller. What it was trained on and how well it does stands in its ',
          link('models/translate-en-fr/README.md', 'model card'),
          '.',
        ],
      },
      'novels-lm': {
        name: 'novels-lm',
        shortName: 'Language model',
        licence: 'MIT',
        about: [
          'A small ',
          term('decoder'),
          ' in Llama’s form, with grouped heads, trained for this page on English novels up to 1922. What it was trained on and how well it does stands in its ',
          link('models/novels-lm/README.md', 'model card'),
          '.',
        ],
      },
    } as Readonly<Record<ModelName, ShippedWords>>,
    facts: {
      layers: 'Layers',
      heads: 'Heads in a layer',
      width: 'Width (d_model)',
      headWidth: 'Width of a head (d_k)',
      parameters: 'Parameters',
      vocabulary: 'Vocabulary',
      longest: 'Longest text',
      licence: 'Licence',
    },
    tokensUnit: (count: number) => `${String(count)} tokens`,
    loadedOf: (loaded: string, total: string) => `${loaded} of ${total}`,
    layersReady: (ready: number, all: number) => `${String(ready)} of ${String(all)} layers ready`,
    vocabularyReady: 'vocabulary ready',
    vocabularyWaiting: 'vocabulary on its way',
    stop: 'Stop loading',
    again: 'Load again',
    computedBy: 'Computed here, in this tab, by',
    build: {
      'threads-relaxed': 'WebAssembly with threads and relaxed SIMD',
      threads: 'WebAssembly with threads and SIMD',
      relaxed: 'WebAssembly with relaxed SIMD',
      simd: 'WebAssembly with SIMD',
      scalar: 'WebAssembly without SIMD',
    },
    memory: (used: string) => `${used} of memory`,
    private: 'Nothing you type leaves this tab.',
    offline: {
      preparing: 'Saving the page, so that it opens without a network next time …',
      ready: 'The page and the model are kept in this browser and open without a network.',
      failed: 'This browser does not keep the page: it needs the network to open.',
    },
  },

  notice: {
    scalar:
      'This browser has no WebAssembly SIMD. Everything works, with the same numbers, but several times slower.',
    restarted: 'The computing worker stopped and was started again. Your text and view are kept.',
    lost: 'The computing worker stopped and could not be started again.',
    failed: 'The model could not be loaded.',
    stopped: 'Loading was stopped.',
    unsupported: 'This browser cannot run WebAssembly, so nothing can be computed here.',
    runFailed: 'This text could not be computed.',
    retry: 'Try again',
    dismiss: 'Dismiss',
    newVersion: 'A new version of this page is ready. Your text and view are kept.',
    takeNewVersion: 'Reload',
    later: 'Later',
    cannotOpenModel: 'There is no model of this name; the one that is there was opened.',
  },

  waiting: {
    runtime: 'Starting the kernels …',
    layer: (layer: number) => `Layer ${String(layer)} is on its way`,
    vocabulary: (share: string) =>
      `Waiting for the vocabulary: ${share} of the model has arrived. The examples need no wait.`,
    computing: 'Computing …',
    failed: 'The model could not be loaded, so there is nothing to show here.',
    stopped: 'Loading the model was stopped, so there is nothing to show here.',
  },

  /** Sentences to be printed, copied with one click. */
  sentence: {
    languages: { en: 'English', ko: 'Korean' },
    copy: 'Copy',
    copyWhat: (language: string) => `Copy the ${language} sentence`,
    copied: 'Sentence copied',
    copyFailed: 'The browser does not allow copying.',
  },

  /** An experiment to be cited. */
  evidence: {
    title: 'Cite this',
    about:
      'The files hold all numbers with the hashes of model and data, the version, the options and the seeds.',
    save: 'Save the evidence',
    json: 'Evidence as JSON',
    csv: 'Evidence as CSV',
    waiting: 'There is something to cite as soon as it is measured.',
  },

  /** Work of seconds to minutes. */
  work: {
    progress: 'Progress',
    left: (time: string) => `about ${time} left`,
    cancel: 'Cancel',
    again: 'Measure again',
    failed: 'It could not be measured.',
    part: 'Cancelled: what is shown is a part.',
    nothing: 'Cancelled.',
  },

  tools: {
    label: 'Save and share this figure',
    table: 'Table',
    figure: 'Figure',
    save: 'Save',
    copyImage: 'Copy as image',
    svg: 'SVG',
    png: 'PNG',
    csv: 'CSV',
    json: 'JSON',
    copied: 'Copied',
    saved: (file: string) => `Saved ${file}`,
    notLoaded: 'This part of the page could not be loaded. Reload it; your view is kept.',
    failed: 'The browser did not allow it.',
  },

  chart: { keys: 'Arrow keys move the crosshair, Home and End go to the ends.' },

  /** What each example shows; the gloss is for readers of another language than the sentence's. */
  examples: {
    'cat-tired': { shows: 'What does it look at: the cat or the mat?', gloss: '' },
    'cat-soft': { shows: 'One word changed. Does it still look at the cat?', gloss: '' },
    'alice-key': { shows: 'Two names: does she look at Alice, or at the nearer Tom?', gloss: '' },
    counting: { shows: 'A plain row of words: heads that look one token back or ahead', gloss: '' },
    determiners: { shows: 'Articles and their nouns, with adjectives in between', gloss: '' },
    objects: { shows: 'Three verbs, each with an object of its own', gloss: '' },
    prepositions: { shows: 'Prepositions and the nouns that belong to them', gloss: '' },
    repeated: {
      shows: 'The same words again, and a head that looks from a word to its twin',
      gloss: '',
    },
    negation: { shows: 'Which words look at not and at nobody?', gloss: '' },
    question: { shows: 'A question: the object stands in front, far from its verb', gloss: '' },
    'two-banks': {
      shows: 'One word, two meanings: does bank look at the other bank, or at its neighbours?',
      gloss: '',
    },
    'relative-clause': {
      shows: 'A long sentence: fourteen words between letter and arrived',
      gloss: '',
    },
    pieces: { shows: 'Rare words fall into pieces, and the pieces look at each other', gloss: '' },
    numbers: { shows: 'Numbers and punctuation: many short tokens', gloss: '' },
    'flood-pair': { shows: 'Two sentences in one input, with two separators', gloss: '' },
  } satisfies Record<ExampleId, { shows: string; gloss: string }>,
}

export type FrameMessages = typeof frame
