// Judges a call to the op: every rule of its shapes and options, in the order in which a caller can
// repair them - each tensor by itself, then tensors against each other, then options.
// Allocates nothing large and reads no tensor data but kv_lengths.
#include <cmath>
#include <cstdint>
#include <limits>

#include "headwise/attention.hpp"
#include "text.hpp"

namespace headwise {
namespace {

// The largest count that JavaScript counts exactly; no tensor gets near it.
constexpr std::int64_t kMostElements = std::int64_t{1} << 53;

// A size of 0 excuses no other: strides are products of sizes too.
bool product_fits(std::initializer_list<std::int64_t> factors, std::int64_t* product) {
  *product = 1;
  for (std::int64_t factor : factors) {
    if (factor == 0) continue;
    if (__builtin_mul_overflow(*product, factor, product) || *product > kMostElements) return false;
  }
  return true;
}

Status check_tensor(const TensorArgument& tensor, const char* name, int rank,
                    const char* expected) {
  if (!tensor.given()) return Status::invalid(name, expected, "nothing");
  if (tensor.rank != rank) {
    return Status::invalid(name, expected,
                           "rank " + text(std::int64_t{tensor.rank}) + ", dims " +
                               shape_text(tensor.dims, tensor.rank > 8 ? 8 : tensor.rank));
  }
  std::int64_t product = 1;
  for (int i = 0; i < rank; ++i) {
    if (tensor.dims[i] < 0) {
      return Status::invalid(name, "dims of 0 or more", shape_text(tensor.dims, rank));
    }
    if (!product_fits({product, tensor.dims[i]}, &product)) {
      return Status::invalid(name, "at most 2^53 elements", shape_text(tensor.dims, rank));
    }
  }
  return {};
}

Status differ(const char* name, const char* what, std::int64_t expected, const char* other,
              std::int64_t received) {
  return Status::invalid(name, std::string(what) + " " + text(expected) + ", as " + other + " has",
                         std::string(what) + " " + text(received));
}

Status check_tensors(const AttentionCall& call, bool* packed) {
  if (!call.query.given()) return Status::invalid("query", "a tensor of rank 3 or 4", "nothing");
  if (call.query.rank != 3 && call.query.rank != 4) {
    return check_tensor(call.query, "query", 4,
                        "rank 4 [B, Hq, Sq, D], or rank 3 [B, Sq, numHeads * D]");
  }
  *packed = call.query.rank == 3;
  const int rank = call.query.rank;
  HEADWISE_RETURN_IF_ERROR(check_tensor(call.query, "query", rank, ""));
  HEADWISE_RETURN_IF_ERROR(check_tensor(call.key, "key", rank,
                                        *packed ? "rank 3 [B, Skv, kvHeads * D], as query has"
                                                : "rank 4 [B, Hkv, Skv, D], as query has"));
  HEADWISE_RETURN_IF_ERROR(check_tensor(call.value, "value", rank,
                                        *packed ? "rank 3 [B, Skv, kvHeads * Dv], as query has"
                                                : "rank 4 [B, Hkv, Skv, Dv], as query has"));
  return {};
}

Status check_head_count(const char* name, std::int64_t heads) {
  if (heads < 1) return Status::invalid(name, "1 or more", text(heads));
  return {};
}

Status split_width(const char* name, std::int64_t width, const char* count_name, std::int64_t heads,
                   std::int64_t* head_dim) {
  if (width % heads != 0 || width == 0) {
    return Status::invalid(name,
                           "a width that " + std::string(count_name) + " = " + text(heads) +
                               " divides into heads of at least 1",
                           "width " + text(width));
  }
  *head_dim = width / heads;
  return {};
}

Status packed_sizes(const AttentionCall& call, AttentionShape* shape, std::int64_t* key_dim) {
  if (!call.num_heads.has_value()) {
    return Status::invalid(
        "numHeads", "the number of query heads, since the input is packed (rank 3)", "nothing");
  }
  shape->query_heads = *call.num_heads;
  shape->kv_heads = call.kv_heads.value_or(shape->query_heads);
  HEADWISE_RETURN_IF_ERROR(check_head_count("numHeads", shape->query_heads));
  HEADWISE_RETURN_IF_ERROR(check_head_count("kvHeads", shape->kv_heads));
  const char* kv_name = call.kv_heads.has_value() ? "kvHeads" : "numHeads";
  HEADWISE_RETURN_IF_ERROR(
      split_width("query", call.query.dims[2], "numHeads", shape->query_heads, &shape->head_dim));
  HEADWISE_RETURN_IF_ERROR(split_width("key", call.key.dims[2], kv_name, shape->kv_heads, key_dim));
  HEADWISE_RETURN_IF_ERROR(
      split_width("value", call.value.dims[2], kv_name, shape->kv_heads, &shape->value_head_dim));
  shape->query_length = call.query.dims[1];
  shape->new_length = call.key.dims[1];
  return {};
}

Status unpacked_sizes(const AttentionCall& call, AttentionShape* shape, std::int64_t* key_dim) {
  if (call.num_heads.has_value() || call.kv_heads.has_value()) {
    const bool query_heads = call.num_heads.has_value();
    return Status::invalid(query_heads ? "numHeads" : "kvHeads",
                           "nothing: rank-4 input has its heads as an axis",
                           text(query_heads ? *call.num_heads : *call.kv_heads));
  }
  shape->query_heads = call.query.dims[1];
  shape->kv_heads = call.key.dims[1];
  shape->query_length = call.query.dims[2];
  shape->new_length = call.key.dims[2];
  shape->head_dim = call.query.dims[3];
  shape->value_head_dim = call.value.dims[3];
  *key_dim = call.key.dims[3];
  if (call.value.dims[1] != shape->kv_heads) {
    return differ("value", "a head count of", shape->kv_heads, "key", call.value.dims[1]);
  }
  return {};
}

Status check_heads(const AttentionShape& shape) {
  if (shape.query_heads < 1 || shape.kv_heads < 1 || shape.query_heads % shape.kv_heads != 0) {
    return Status::invalid(
        shape.packed ? "kvHeads" : "key",
        "a number of KV heads that divides the number of query heads, " + text(shape.query_heads),
        text(shape.kv_heads) + " KV heads for " + text(shape.query_heads) + " query heads");
  }
  return {};
}

Status resolve_sizes(const AttentionCall& call, AttentionShape* shape) {
  std::int64_t key_dim = 0;
  shape->batch = call.query.dims[0];
  if (call.key.dims[0] != shape->batch) {
    return differ("key", "a batch of", shape->batch, "query", call.key.dims[0]);
  }
  if (call.value.dims[0] != shape->batch) {
    return differ("value", "a batch of", shape->batch, "query", call.value.dims[0]);
  }
  HEADWISE_RETURN_IF_ERROR(shape->packed ? packed_sizes(call, shape, &key_dim)
                                         : unpacked_sizes(call, shape, &key_dim));
  HEADWISE_RETURN_IF_ERROR(check_heads(*shape));
  if (shape->head_dim < 1) return Status::invalid("query", "a head size of at least 1", "0");
  if (shape->value_head_dim < 1) return Status::invalid("value", "a head size of at least 1", "0");
  if (key_dim != shape->head_dim) {
    return differ("key", "a head size of", shape->head_dim, "query", key_dim);
  }
  const std::int64_t value_length = call.value.dims[shape->packed ? 1 : 2];
  if (value_length != shape->new_length) {
    return differ("value", "a length of", shape->new_length, "key", value_length);
  }
  return {};
}

Status check_past_tensor(const TensorArgument& past, const char* name, std::int64_t length,
                         std::int64_t head_dim, const AttentionShape& shape) {
  HEADWISE_RETURN_IF_ERROR(
      check_tensor(past, name, 4, "rank 4 [B, Hkv, past, D], packed input or not"));
  const std::int64_t expected[4] = {shape.batch, shape.kv_heads, length, head_dim};
  for (int i = 0; i < 4; ++i) {
    if (past.dims[i] != expected[i]) {
      return Status::invalid(name, "dims " + shape_text(expected, 4), shape_text(past.dims, 4));
    }
  }
  return {};
}

Status check_past(const AttentionCall& call, AttentionShape* shape) {
  const bool past = call.past_key.given() || call.past_value.given();
  if (past && call.cache_length.has_value()) {
    return Status::invalid("pastKey", "nothing: the cache already holds the past",
                           "pastKey and cache");
  }
  if (call.cache_length.has_value()) {
    if (call.kv_lengths_size.has_value()) {
      return Status::invalid("kvLengths", "nothing: the cache knows its length",
                             "kvLengths and cache");
    }
    shape->past_length = *call.cache_length;
    return {};
  }
  if (!past) return {};
  if (!call.past_key.given()) {
    return Status::invalid("pastKey", "the keys that belong to pastValue", "nothing");
  }
  if (!call.past_value.given()) {
    return Status::invalid("pastValue", "the values that belong to pastKey", "nothing");
  }
  if (call.kv_lengths_size.has_value()) {
    return Status::invalid("kvLengths",
                           "nothing beside pastKey: one of the two says where the keys end",
                           "kvLengths and pastKey");
  }
  shape->past_length = call.past_key.rank == 4 ? call.past_key.dims[2] : 0;
  HEADWISE_RETURN_IF_ERROR(
      check_past_tensor(call.past_key, "pastKey", shape->past_length, shape->head_dim, *shape));
  return check_past_tensor(call.past_value, "pastValue", shape->past_length, shape->value_head_dim,
                           *shape);
}

Status check_cache(const AttentionCall& call, const AttentionShape& shape) {
  if (!call.cache_length.has_value()) return {};
  const std::int64_t holds[4] = {call.cache_batch, call.cache_kv_heads, call.cache_head_dim,
                                 call.cache_value_head_dim};
  const std::int64_t came[4] = {shape.batch, shape.kv_heads, shape.head_dim, shape.value_head_dim};
  const char* names[4] = {"batch", "kvHeads", "headDim", "valueHeadDim"};
  for (int i = 0; i < 4; ++i) {
    if (holds[i] != came[i]) {
      return Status::invalid("cache",
                             std::string("a cache made with ") + names[i] + " " + text(came[i]),
                             std::string("one with ") + names[i] + " " + text(holds[i]));
    }
  }
  if (shape.new_length > call.cache_capacity - *call.cache_length) {
    return Status::invalid(
        "cache", "room for the new keys within capacity " + text(call.cache_capacity),
        "length " + text(*call.cache_length) + " and " + text(shape.new_length) + " new keys");
  }
  return {};
}

Status check_mask(const MaskArgument& mask, const AttentionShape& shape) {
  if (!mask.given()) return {};
  const std::int64_t full[4] = {shape.batch, shape.query_heads, shape.query_length,
                                shape.kv_length};
  const std::string expected = "dims that broadcast, right-aligned, to " + shape_text(full, 4);
  const std::string received = shape_text(mask.dims, mask.rank > 8 ? 8 : mask.rank);
  if (mask.rank > 4) {
    return Status::invalid("mask", expected,
                           "rank " + text(std::int64_t{mask.rank}) + ", " + received);
  }
  for (int i = 0; i < mask.rank; ++i) {
    const std::int64_t dim = mask.dims[i];
    const std::int64_t wanted = full[4 - mask.rank + i];
    const bool last = i == mask.rank - 1;
    if (last && dim == 1 && wanted > 1) {
      return Status::invalid("mask",
                             expected +
                                 "; a last axis of 1 is ambiguous (broadcast, or one key and "
                                 "the others masked): give all " +
                                 text(wanted) + " keys",
                             received);
    }
    const bool fits = last ? dim >= 0 && dim <= wanted : dim == wanted || dim == 1;
    if (!fits) return Status::invalid("mask", expected, received);
  }
  return {};
}

Status check_key_mask(const AttentionCall& call, const AttentionShape& shape) {
  if (call.key_mask_rank == 0) return {};
  const std::int64_t expected[2] = {shape.batch, shape.kv_length};
  const bool fits = call.key_mask_rank == 2 && call.key_mask_dims[0] == expected[0] &&
                    call.key_mask_dims[1] == expected[1];
  if (fits) return {};
  return Status::invalid(
      "keyMask", "dims [B, Skv] = " + shape_text(expected, 2),
      shape_text(call.key_mask_dims, call.key_mask_rank > 8 ? 8 : call.key_mask_rank));
}

Status check_numbers(const AttentionCall& call) {
  if (call.scale.has_value() && !std::isfinite(static_cast<float>(*call.scale))) {
    return Status::invalid("scale", "a finite number within float32", text(*call.scale));
  }
  const auto softcap = static_cast<float>(call.softcap);
  if (!std::isfinite(softcap) || call.softcap < 0.0 || (softcap == 0.0F && call.softcap != 0.0)) {
    return Status::invalid("softcap", "0 (off) or a positive finite number within float32",
                           text(call.softcap));
  }
  const std::int64_t window[2] = {call.window_left, call.window_right};
  for (std::int64_t bound : window) {
    if (bound < -1) {
      return Status::invalid("window", "bounds of 0 or more, or -1 for unbounded",
                             shape_text(window, 2));
    }
  }
  return {};
}

Status check_lengths(const AttentionCall& call, const AttentionShape& shape) {
  if (call.head_mask_size.has_value() && *call.head_mask_size != shape.query_heads) {
    return Status::invalid("headMask",
                           "one factor for each of " + text(shape.query_heads) + " query heads",
                           text(*call.head_mask_size) + " numbers");
  }
  if (!call.kv_lengths_size.has_value()) return {};
  if (*call.kv_lengths_size != shape.batch) {
    return Status::invalid("kvLengths",
                           "one length for each of " + text(shape.batch) + " batch entries",
                           text(*call.kv_lengths_size) + " numbers");
  }
  for (std::int64_t b = 0; call.kv_lengths != nullptr && b < shape.batch; ++b) {
    if (call.kv_lengths[b] < 0 || call.kv_lengths[b] > shape.kv_length) {
      return Status::invalid("kvLengths", "lengths from 0 to " + text(shape.kv_length),
                             text(std::int64_t{call.kv_lengths[b]}) + " at index " + text(b));
    }
  }
  return {};
}

Status check_sizes(const AttentionShape& s) {
  std::int64_t product = 0;
  const bool fits =
      product_fits({s.batch, s.query_heads, s.query_length, s.value_head_dim}, &product) &&
      product_fits({s.batch, s.query_heads, s.query_length, s.kv_length}, &product) &&
      product_fits({s.batch, s.kv_heads, s.kv_length, s.head_dim}, &product) &&
      product_fits({s.batch, s.kv_heads, s.kv_length, s.value_head_dim}, &product);
  if (fits) return {};
  return Status::out_of_memory("query", "results that fit into memory", "more than 2^53 numbers");
}

}  // namespace

Status validate(const AttentionCall& call, AttentionShape* shape) {
  *shape = {};
  HEADWISE_RETURN_IF_ERROR(check_tensors(call, &shape->packed));
  HEADWISE_RETURN_IF_ERROR(resolve_sizes(call, shape));
  HEADWISE_RETURN_IF_ERROR(check_past(call, shape));
  if (__builtin_add_overflow(shape->past_length, shape->new_length, &shape->kv_length)) {
    return Status::out_of_memory("key", "keys that fit into memory", "more than 2^63 keys");
  }
  HEADWISE_RETURN_IF_ERROR(check_cache(call, *shape));
  HEADWISE_RETURN_IF_ERROR(check_numbers(call));
  HEADWISE_RETURN_IF_ERROR(check_mask(call.mask, *shape));
  HEADWISE_RETURN_IF_ERROR(check_key_mask(call, *shape));
  HEADWISE_RETURN_IF_ERROR(check_lengths(call, *shape));
  return check_sizes(*shape);
}

}  // namespace headwise
