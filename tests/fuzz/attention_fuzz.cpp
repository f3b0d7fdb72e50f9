// Fuzz target over validate() and the op, for libFuzzer with the address and undefined-behaviour
// sanitizers (npm run fuzz).
//
// Whatever the call, validate() answers. What it accepts is computed, if it is small: the output
// has the same bits with and without weights and in any order of the tasks, agrees with the
// reference where that is finite, rows that see nothing are zeros, the cache gives what one pass
// gives, and nothing stays allocated.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#include "generated_call.hpp"
#include "headwise/attention.hpp"
#include "headwise/key_value_cache.hpp"
#include "headwise/memory.hpp"

namespace headwise::fuzz {
namespace {

constexpr std::int64_t kMostNumbers = 1 << 13;
constexpr double kTolerance = 1e-3;  // ordinary outputs are at most 4 in magnitude

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

bool is_small(const AttentionShape& s) {
  const std::int64_t sizes[] = {s.output_size(), s.scores_size(), s.present_key_size(),
                                s.present_value_size(),
                                s.batch * s.query_heads * s.query_length * s.head_dim};
  return std::all_of(std::begin(sizes), std::end(sizes),
                     [](std::int64_t size) { return size <= kMostNumbers; });
}

struct Results {
  std::vector<float> output, scores, weights;
};

std::size_t count(std::int64_t size) { return static_cast<std::size_t>(size); }

Tensor<float, 4> output_view(const AttentionShape& s, float* data) {
  if (!s.packed) {
    return Tensor<float, 4>::contiguous(data,
                                        {s.batch, s.query_heads, s.query_length, s.value_head_dim});
  }
  return split_heads(Tensor<float, 3>::contiguous(
                         data, {s.batch, s.query_length, s.query_heads * s.value_head_dim}),
                     s.query_heads);
}

Results run(AttentionProblem problem, const AttentionShape& s, bool everything) {
  Results results;
  results.output.assign(count(s.output_size()), 77.0F);
  problem.output = output_view(s, results.output.data());
  if (everything) {
    results.scores.assign(count(s.scores_size()), 77.0F);
    results.weights.assign(count(s.scores_size()), 77.0F);
    problem.scores_point = ScoresPoint::kBiased;
    problem.scores = results.scores.data();
    problem.weights = results.weights.data();
  }
  AttentionPlan plan;
  require(plan.prepare(problem).ok(), "a small call finds memory");
  if (everything) {
    plan.run(0, plan.tasks());
  } else {
    for (std::int64_t task = plan.tasks(); task-- > 0;) plan.run(task, task + 1);
  }
  return results;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

// Rows of [B, Hq, Sq, width]; the output of a packed call is taken apart first.
void compare_rows(const Tensor<float, 4>& got, const std::vector<double>& expected, Numbers numbers,
                  const char* what) {
  if (numbers == Numbers::kAny) return;
  const double* row = expected.data();
  for (std::int64_t b = 0; b < got.dims[0]; ++b) {
    for (std::int64_t h = 0; h < got.dims[1]; ++h) {
      for (std::int64_t i = 0; i < got.dims[2]; ++i, row += got.dims[3]) {
        const float* came = got.at(b, h, i);
        for (std::int64_t c = 0; c < got.dims[3]; ++c) {
          if (!std::isfinite(row[c])) {
            require(!std::isfinite(came[c]), what);
          } else {
            require(std::fabs(came[c] - row[c]) <= kTolerance, what);
          }
        }
      }
    }
  }
}

void check_against_reference(const AttentionProblem& problem, const AttentionShape& s,
                             Results& results, Numbers numbers) {
  std::vector<double> output(count(s.output_size()));
  std::vector<double> weights(count(s.scores_size()));
  require(reference::attention(problem, output.data(), nullptr, weights.data()).ok(),
          "the reference computes what validate() accepts");
  const auto pairs = Tensor<float, 4>::contiguous(
      results.weights.data(), {s.batch, s.query_heads, s.query_length, s.kv_length});
  compare_rows(output_view(s, results.output.data()), output, numbers,
               "the output is the reference's");
  compare_rows(pairs, weights, numbers, "the weights are the reference's");
}

// Rows that see nothing are zeros, whatever lies behind the masks.
void check_empty_rows(AttentionProblem problem, const AttentionShape& s, Results& results) {
  // Without scale only what is hidden is -infinity.
  problem.scale = 0.0F;
  problem.softcap = 0.0F;
  problem.scores_point = ScoresPoint::kBiased;
  std::vector<double> scores(count(s.scores_size()));
  require(reference::attention(problem, nullptr, scores.data(), nullptr).ok(),
          "the reference computes what validate() accepts");
  const Tensor<float, 4> output = output_view(s, results.output.data());
  const double* row = scores.data();
  for (std::int64_t b = 0; b < s.batch; ++b) {
    for (std::int64_t h = 0; h < s.query_heads; ++h) {
      for (std::int64_t i = 0; i < s.query_length; ++i, row += s.kv_length) {
        const bool sees = std::any_of(row, row + s.kv_length, [](double score) {
          return score != -std::numeric_limits<double>::infinity();
        });
        const float* came = output.at(b, h, i);
        require(sees || std::all_of(came, came + s.value_head_dim,
                                    [](float number) { return number == 0.0F; }),
                "a row that sees nothing is zeros");
      }
    }
  }
}

// The same keys and values through a cache, in two pieces; the queries come with the second.
void check_cache(const AttentionProblem& problem, const AttentionShape& s, const Results& expected,
                 std::int64_t first_piece, Numbers numbers) {
  KeyValueCache cache;
  const KeyValueCache::Sizes sizes{s.batch, s.kv_heads, s.head_dim, s.value_head_dim,
                                   s.kv_length + 3};
  if (!KeyValueCache::validate(sizes).ok()) return;
  require(cache.create(sizes).ok(), "a small cache finds memory");
  const auto piece = [](Tensor<const float, 4> tensor, std::int64_t first, std::int64_t length) {
    tensor.data += first * tensor.strides[2];
    tensor.dims[2] = length;
    return tensor;
  };
  const std::int64_t cut = std::min(first_piece, s.kv_length);
  cache.append(piece(problem.key, 0, cut), piece(problem.value, 0, cut));
  cache.append(piece(problem.key, cut, s.kv_length - cut),
               piece(problem.value, cut, s.kv_length - cut));
  require(cache.length() == s.kv_length, "a cache counts what is appended");
  AttentionProblem cached = problem;
  cache.attach(&cached);
  const Results got = run(cached, s, true);
  if (numbers != Numbers::kOrdinary) return;
  for (std::size_t i = 0; i < got.output.size(); ++i) {
    require(std::fabs(got.output[i] - expected.output[i]) <= kTolerance, "a cache gives one pass");
  }
}

void compute(GeneratedCall& generated, const AttentionShape& s, FuzzedDataProvider& input) {
  const AttentionCall& call = generated.call;
  std::vector<float> present_key;
  std::vector<float> present_value;
  const bool past = call.past_key.given();
  if (past) {
    present_key.resize(count(s.present_key_size()) + 1);
    present_value.resize(count(s.present_value_size()) + 1);
    concatenate_past(call.past_key, heads_view(call.key, s.kv_heads), present_key.data());
    concatenate_past(call.past_value, heads_view(call.value, s.kv_heads), present_value.data());
  }
  const AttentionProblem problem =
      resolve(call, s, past ? present_key.data() : nullptr, past ? present_value.data() : nullptr);
  Results everything = run(problem, s, true);
  const Results plain = run(problem, s, false);
  require(same_bits(everything.output, plain.output), "one arithmetic");
  check_against_reference(problem, s, everything, generated.numbers);
  check_empty_rows(problem, s, everything);
  check_cache(problem, s, everything, input.ConsumeIntegralInRange<std::int64_t>(0, 90),
              generated.numbers);
}

void fuzz(FuzzedDataProvider& input) {
  GeneratedCall generated(input);
  AttentionShape shape;
  if (!validate(generated.call, &shape).ok()) return;
  if (!is_small(shape) || generated.call.cache_length.has_value()) return;
  generated.fill();
  if (validate(generated.call, &shape).ok()) compute(generated, shape, input);
}

}  // namespace
}  // namespace headwise::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider input(data, size);
  headwise::fuzz::fuzz(input);
  headwise::fuzz::require(headwise::memory_use().blocks == 0, "nothing stays allocated");
  return 0;
}
