// The shape of a model, as its configuration says it.

/** How rotary positions turn: pair c of a head by position / base^(2c / dim), changed by scaling. */
export interface RotaryShape {
  /** Columns of a head that turn. */
  readonly dim: number
  readonly base: number
  /** Column 2c turns with 2c + 1; otherwise c with c + dim / 2. */
  readonly interleaved: boolean
  /**
   * A number divides every position. With `originalPositions` only the slow pairs are divided, as
   * Llama 3.1 does it.
   */
  readonly scaling:
    | number
    | {
        readonly factor: number
        readonly lowFrequencyFactor: number
        readonly highFrequencyFactor: number
        readonly originalPositions: number
      }
}

/**
 * What `generate` does unless its options say otherwise: the entries of generation_config.json with
 * the meaning that Hugging Face's `transformers` gives them. `eos_token_id`,
 * `decoder_start_token_id`, `forced_bos_token_id`, `suppress_tokens` and `bad_words_ids` of one token
 * each stand in {@link ModelConfig.generation}, before what config.json says. Entries that would
 * choose other tokens and are not supported, such as `num_beams` above 1, are named once through
 * `onWarning`; all others are ignored.
 */
export interface GenerationDefaults {
  /** `max_new_tokens` */
  readonly maxTokens?: number
  /** `max_length`: of the prompt and what is added; of an encoder-decoder, of what its decoder reads. */
  readonly maxLength?: number
  /** `stop_strings` */
  readonly stop?: readonly string[]
  /** With `do_sample`, which is off unless the file says otherwise: `temperature`, or 1. */
  readonly temperature?: number
  /** With `do_sample`: `top_k`, or 50. */
  readonly topK?: number
  /** With `do_sample`: `top_p`. */
  readonly topP?: number
}

/** The shape of a transformer: what its config.json says, in the terms of every architecture. */
export interface ModelConfig {
  /** The `model_type` of config.json. */
  readonly modelType: string
  /** An encoder sees all of its input, a decoder what came before; vision is an encoder of images. */
  readonly kind: 'encoder' | 'decoder' | 'encoder-decoder' | 'vision'
  /** Of the encoder, where there are two stacks. */
  readonly numLayers: number
  /** Of an encoder-decoder's decoder; 0 for the others. */
  readonly decoderLayers: number
  readonly numHeads: number
  readonly kvHeads: number
  readonly dModel: number
  readonly headDim: number
  readonly dMlp: number
  /** 0 for vision. */
  readonly vocabulary: number
  /** The longest sequence; 0 = any. */
  readonly maxPositions: number
  /** 0 = none. */
  readonly tokenTypes: number
  /** Width of the embedding tables; where it is not dModel, a matrix projects from it. */
  readonly dEmbedding: number
  readonly norm: 'layer' | 'rms'
  readonly normEpsilon: number
  /** After each sum, before each part of a block, or before and after the part. */
  readonly normPlacement: 'post' | 'pre' | 'sandwich'
  /** Whether the embedding passes a norm before the first block. */
  readonly embeddingNorm: boolean
  /** Whether the last block is followed by a norm. */
  readonly finalNorm: boolean
  /** Sinusoidal: sines in the first half of the columns, cosines in the second. */
  readonly positions: 'none' | 'learned' | 'sinusoidal' | 'rotary' | 'relative'
  /** Rows of the learned table before that of the first position. */
  readonly positionOffset: number
  /** With `positions: 'rotary'`. */
  readonly rotary?: RotaryShape
  /** With `positions: 'relative'`: T5's buckets of distances, each with a bias for every head. */
  readonly relative?: { readonly buckets: number; readonly maxDistance: number }
  /** GELU is exact, `gelu-tanh` its approximation; `silu` is also called swish. */
  readonly activation: 'gelu' | 'gelu-tanh' | 'relu' | 'silu'
  /** Whether the activation is a gate: out(activation(gate(x)) * in(x)). */
  readonly gatedMlp: boolean
  /** Whether query, key and value have biases. */
  readonly attentionBias: boolean
  readonly outputBias: boolean
  readonly mlpBias: boolean
  /** The factor on query times key; 1 / sqrt(headDim) in most models. */
  readonly attentionScale: number
  /** Scores become softcap * tanh(score / softcap); 0 = off. */
  readonly attentionSoftcap: number
  /** How many positions a query sees, itself the last; 0 = all. */
  readonly window: number
  /** Layers globalEvery - 1, 2 globalEvery - 1, ... have no window; 0 = every layer has it. */
  readonly globalEvery: number
  /** A factor on the rows of the token table. */
  readonly embeddingScale: number
  /** What stands on the last hidden state. */
  readonly head: 'none' | 'lm' | 'masked-lm' | 'classifier'
  /** Whether the head's matrix is the token table. */
  readonly tiedHead: boolean
  readonly headBias: boolean
  /** A factor on what enters the head's matrix. */
  readonly logitScale: number
  /** As `attentionSoftcap`, on the logits. */
  readonly logitSoftcap: number
  /** Of a classifier; 0 for the others. */
  readonly labels: number
  /** With `kind: 'vision'`. */
  readonly image?: {
    /** Pixels of a side, of the image and of a patch. */
    readonly size: number
    readonly patch: number
    readonly channels: number
    /** Learned tokens before the patches: 1, or 2 with a token for distillation. */
    readonly classTokens: number
  }
  /** What `generate` begins and ends with; of models that generate. */
  readonly generation?: {
    /** Ids with which an encoder-decoder's output begins; empty for a decoder. */
    readonly startIds: readonly number[]
    /** Ids that end a text. */
    readonly endIds: readonly number[]
    /** Ids that are never chosen. */
    readonly suppressedIds: readonly number[]
    /** From generation_config.json, where there is one. */
    readonly defaults?: GenerationDefaults
  }
  readonly dtype: 'float32' | 'int8'
  /** config.json as it came. */
  readonly source: object
}
