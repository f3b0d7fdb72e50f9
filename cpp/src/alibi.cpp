#include "headwise/alibi.hpp"

#include <cstdlib>
#include <limits>

#include "power.hpp"

namespace headwise {

namespace {

float alibi(float slope, std::int64_t distance) {
  return -slope * static_cast<float>(std::abs(distance));
}

// One band a head, [bands, Hq, Sq + Skv - 1]: entry (Sq - 1) + j - i is the bias of (i, j), so a
// row of the bias starts one entry before the row above it.
Status add_band(const float* slopes, std::int64_t keys, std::int64_t bands,
                AttentionProblem* problem, Buffer<float>* storage) {
  const std::int64_t heads = problem->query.dims[1];
  const std::int64_t queries = problem->query.dims[2];
  const std::int64_t length = queries + keys - 1;
  HEADWISE_RETURN_IF_ERROR(storage->reserve(bands * heads * length, "ALiBi"));
  float* target = storage->data();
  for (std::int64_t b = 0; b < bands; ++b) {
    const std::int64_t first = 1 - queries - problem->position_offset(b);
    for (std::int64_t h = 0; h < heads; ++h) {
      for (std::int64_t i = 0; i < length; ++i) *target++ = alibi(slopes[h], first + i);
    }
  }
  problem->mask.bias = storage->data() + queries - 1;
  problem->mask.strides = {bands == 1 ? 0 : heads * length, length, -1, 1};
  problem->mask.key_length = keys;
  return {};
}

Status add_to_mask(const float* slopes, std::int64_t keys, std::int64_t bands,
                   AttentionProblem* problem, Buffer<float>* storage) {
  const AttentionMask mask = problem->mask;
  const std::int64_t heads = problem->query.dims[1];
  const std::int64_t queries = problem->query.dims[2];
  const std::int64_t batches = mask.strides[0] == 0 ? bands : problem->query.dims[0];
  HEADWISE_RETURN_IF_ERROR(storage->reserve(batches * heads * queries * keys, "ALiBi and mask"));
  float* target = storage->data();
  for (std::int64_t b = 0; b < batches; ++b) {
    for (std::int64_t h = 0; h < heads; ++h) {
      for (std::int64_t i = 0; i < queries; ++i) {
        const std::int64_t position = i + problem->position_offset(b);
        const std::int64_t row = b * mask.strides[0] + h * mask.strides[1] + i * mask.strides[2];
        for (std::int64_t j = 0; j < keys; ++j) {
          const std::int64_t place = row + j * mask.strides[3];
          const bool hidden =
              j >= mask.key_length || (mask.allowed != nullptr && mask.allowed[place] == 0);
          const float given = hidden                 ? -std::numeric_limits<float>::infinity()
                              : mask.bias != nullptr ? mask.bias[place]
                                                     : 0.0F;
          *target++ = alibi(slopes[h], j - position) + given;
        }
      }
    }
  }
  problem->mask.bias = storage->data();
  problem->mask.allowed = nullptr;
  problem->mask.strides = {batches == 1 ? 0 : heads * queries * keys, queries * keys, keys, 1};
  problem->mask.key_length = keys;
  return {};
}

}  // namespace

void alibi_slopes(std::int64_t num_heads, float* slopes) {
  std::int64_t whole = 1;  // the largest power of two that is not above num_heads
  while (whole * 2 <= num_heads) whole *= 2;
  const auto slope = [](std::int64_t heads, std::int64_t k) {  // the k-th, from 1, of `heads`
    return static_cast<float>(
        power(2.0, -8.0 * static_cast<double>(k) / static_cast<double>(heads)));
  };
  for (std::int64_t h = 0; h < num_heads; ++h) {
    slopes[h] = h < whole ? slope(whole, h + 1) : slope(2 * whole, 2 * (h - whole) + 1);
  }
}

Status add_alibi(const float* slopes, std::int64_t key_length, AttentionProblem* problem,
                 Buffer<float>* storage) {
  if (problem->query.size() == 0 || key_length == 0) return {};
  const std::int64_t bands = problem->offset_from_lengths ? problem->query.dims[0] : 1;
  return problem->mask.present() ? add_to_mask(slopes, key_length, bands, problem, storage)
                                 : add_band(slopes, key_length, bands, problem, storage);
}

}  // namespace headwise
