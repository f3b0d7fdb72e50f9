"""The tiny checkpoints: a class of the `transformers` package each, with the sizes that set it apart.

Sizes are small, odd where they can be, and different from each other, so that a mistaken axis shows.
"""

VOCABULARY = 60
POSITIONS = 32

TEXT = dict(vocab_size=VOCABULARY, max_position_embeddings=POSITIONS)
BERT = dict(
    TEXT,
    hidden_size=24,
    num_hidden_layers=2,
    num_attention_heads=4,
    intermediate_size=36,
    pad_token_id=0,
)
LLAMA = dict(
    TEXT,
    hidden_size=32,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    intermediate_size=44,
    bos_token_id=2,
    eos_token_id=3,
    pad_token_id=0,
)
VISION = dict(
    hidden_size=24,
    num_hidden_layers=2,
    num_attention_heads=3,
    intermediate_size=40,
    image_size=24,
    patch_size=8,
    num_labels=5,
)
BART = dict(
    TEXT,
    d_model=24,
    encoder_layers=1,
    decoder_layers=2,
    encoder_attention_heads=4,
    decoder_attention_heads=4,
    encoder_ffn_dim=36,
    decoder_ffn_dim=36,
)
T5 = dict(
    vocab_size=VOCABULARY,
    d_model=20,
    d_kv=8,
    d_ff=32,
    num_heads=3,
    num_layers=2,
    num_decoder_layers=2,
    relative_attention_num_buckets=8,
    relative_attention_max_distance=16,
    decoder_start_token_id=0,
)

# name -> class prefix of the package, its head, what config.json says, and the type of the weights
CASES = {
    "bert": ("Bert", "ForMaskedLM", BERT, "float32"),
    "distilbert": (
        "DistilBert",
        "ForMaskedLM",
        dict(TEXT, dim=24, n_layers=2, n_heads=3, hidden_dim=40),
        "float32",
    ),
    "roberta": (
        "Roberta",
        "ForMaskedLM",
        dict(
            BERT,
            pad_token_id=1,
            max_position_embeddings=POSITIONS + 2,
            type_vocab_size=1,
            layer_norm_eps=1e-5,
        ),
        "float32",
    ),
    "electra": ("Electra", "ForMaskedLM", dict(BERT, embedding_size=16), "float16"),
    "gpt2": (
        "GPT2",
        "LMHeadModel",
        dict(
            vocab_size=VOCABULARY,
            n_positions=POSITIONS,
            n_embd=20,
            n_layer=2,
            n_head=4,
            bos_token_id=3,
            eos_token_id=3,
        ),
        "float32",
    ),
    "llama": (
        "Llama",
        "ForCausalLM",
        dict(
            LLAMA,
            rope_theta=50.0,
            rope_scaling=dict(
                rope_type="llama3",
                factor=8.0,
                low_freq_factor=1.0,
                high_freq_factor=4.0,
                original_max_position_embeddings=28,
            ),
        ),
        "bfloat16",
    ),
    "llama-linear": (
        "Llama",
        "ForCausalLM",
        dict(LLAMA, rope_scaling=dict(type="linear", factor=2.5), tie_word_embeddings=True),
        "float32",
    ),
    "mistral": ("Mistral", "ForCausalLM", dict(LLAMA, sliding_window=4), "float32"),
    "qwen2": (
        "Qwen2",
        "ForCausalLM",
        dict(LLAMA, num_attention_heads=2, num_key_value_heads=1, tie_word_embeddings=True),
        "float32",
    ),
    "gemma": (
        "Gemma",
        "ForCausalLM",
        dict(LLAMA, hidden_size=24, head_dim=8, num_key_value_heads=1),
        "float32",
    ),
    "gemma2": (
        "Gemma2",
        "ForCausalLM",
        dict(
            LLAMA,
            hidden_size=24,
            num_hidden_layers=3,
            head_dim=8,
            query_pre_attn_scalar=12,
            sliding_window=4,
            attn_logit_softcapping=2.0,
            final_logit_softcapping=4.0,
        ),
        "float32",
    ),
    "vit": ("ViT", "ForImageClassification", VISION, "float32"),
    "deit": ("DeiT", "ForImageClassification", VISION, "float32"),
    "marian": (
        "Marian",
        "MTModel",
        dict(
            BART,
            activation_function="swish",
            scale_embedding=True,
            pad_token_id=59,
            decoder_start_token_id=59,
            eos_token_id=0,
            forced_eos_token_id=0,
            bad_words_ids=[[59]],
        ),
        "float32",
    ),
    "bart": (
        "Bart",
        "ForConditionalGeneration",
        dict(BART, forced_bos_token_id=0, decoder_start_token_id=2),
        "float32",
    ),
    "t5": ("T5", "ForConditionalGeneration", T5, "float32"),
    "t5-gated": (
        "T5",
        "ForConditionalGeneration",
        dict(T5, num_decoder_layers=1, feed_forward_proj="gated-gelu", tie_word_embeddings=False),
        "float32",
    ),
}
