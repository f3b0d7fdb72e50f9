// Every rule of validate(): which argument it names, and that what came and what was expected are
// in the message. The calls differ from a good one in one thing each.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "headwise/attention.hpp"
#include "headwise/key_value_cache.hpp"

namespace headwise {
namespace {

AttentionCall good_call() {
  AttentionCall call;
  call.query = {nullptr, 4, {2, 6, 5, 8}};
  call.key = {nullptr, 4, {2, 3, 7, 8}};
  call.value = {nullptr, 4, {2, 3, 7, 9}};
  return call;
}

AttentionCall good_packed_call() {
  AttentionCall call;
  call.query = {nullptr, 3, {2, 5, 48}};
  call.key = {nullptr, 3, {2, 7, 24}};
  call.value = {nullptr, 3, {2, 7, 27}};
  call.num_heads = 6;
  call.kv_heads = 3;
  return call;
}

struct Refusal {
  const char* name;
  const char* argument;
  const char* received;  // a part of the text
  std::function<void(AttentionCall&)> change;
};

void expect_refused(AttentionCall call, const Refusal& refusal) {
  refusal.change(call);
  AttentionShape shape;
  const Status status = validate(call, &shape);
  EXPECT_NE(status.code(), StatusCode::kOk) << refusal.name;
  EXPECT_EQ(status.argument(), refusal.argument) << refusal.name;
  EXPECT_NE(status.received().find(refusal.received), std::string::npos)
      << refusal.name << ": " << status.received();
  EXPECT_FALSE(status.expected().empty()) << refusal.name;
}

TEST(AttentionValidate, ResolvesSizes) {
  AttentionShape shape;
  ASSERT_TRUE(validate(good_call(), &shape).ok());
  EXPECT_EQ(shape.query_heads, 6);
  EXPECT_EQ(shape.kv_heads, 3);
  EXPECT_EQ(shape.output_size(), 2 * 6 * 5 * 9);
  EXPECT_FALSE(shape.packed);
  ASSERT_TRUE(validate(good_packed_call(), &shape).ok());
  EXPECT_EQ(shape.head_dim, 8);
  EXPECT_EQ(shape.value_head_dim, 9);
  EXPECT_TRUE(shape.packed);
}

TEST(AttentionValidate, EmptyLengthsAreFine) {
  for (int axis : {0, 2}) {
    AttentionCall call = good_call();
    call.query.dims[axis] = 0;
    if (axis == 0) call.key.dims[0] = call.value.dims[0] = 0;
    AttentionShape shape;
    EXPECT_TRUE(validate(call, &shape).ok()) << axis;
  }
  AttentionCall call = good_call();
  call.key.dims[2] = call.value.dims[2] = 0;
  AttentionShape shape;
  EXPECT_TRUE(validate(call, &shape).ok());
}

TEST(AttentionValidate, RefusesTensors) {
  const Refusal refusals[] = {
      {"no query", "query", "nothing", [](AttentionCall& c) { c.query.rank = 0; }},
      {"rank 2", "query", "rank 2", [](AttentionCall& c) { c.query.rank = 2; }},
      {"rank 5", "query", "rank 5", [](AttentionCall& c) { c.query.rank = 5; }},
      {"key rank", "key", "rank 3", [](AttentionCall& c) { c.key.rank = 3; }},
      {"no value", "value", "nothing", [](AttentionCall& c) { c.value.rank = 0; }},
      {"negative", "key", "-7", [](AttentionCall& c) { c.key.dims[2] = -7; }},
      {"overflow", "query", "4611686018427387904",
       [](AttentionCall& c) { c.query.dims[2] = std::int64_t{1} << 62; }},
      {"batch", "value", "4", [](AttentionCall& c) { c.value.dims[0] = 4; }},
      {"head size", "key", "9", [](AttentionCall& c) { c.key.dims[3] = 9; }},
      {"head size 0", "query", "0", [](AttentionCall& c) { c.query.dims[3] = c.key.dims[3] = 0; }},
      {"value length", "value", "9", [](AttentionCall& c) { c.value.dims[2] = 9; }},
      {"value heads", "value", "1", [](AttentionCall& c) { c.value.dims[1] = 1; }},
      {"heads divide", "key", "3 KV heads for 4", [](AttentionCall& c) { c.query.dims[1] = 4; }},
      {"no KV heads", "key", "0 KV heads",
       [](AttentionCall& c) { c.key.dims[1] = c.value.dims[1] = 0; }},
      {"heads given", "numHeads", "6", [](AttentionCall& c) { c.num_heads = 6; }},
      {"KV heads given", "kvHeads", "3", [](AttentionCall& c) { c.kv_heads = 3; }},
  };
  for (const Refusal& refusal : refusals) expect_refused(good_call(), refusal);
}

TEST(AttentionValidate, RefusesPackedInput) {
  const Refusal refusals[] = {
      {"no heads", "numHeads", "nothing", [](AttentionCall& c) { c.num_heads.reset(); }},
      {"zero heads", "numHeads", "0", [](AttentionCall& c) { c.num_heads = 0; }},
      {"zero KV heads", "kvHeads", "0", [](AttentionCall& c) { c.kv_heads = 0; }},
      {"width", "query", "48", [](AttentionCall& c) { c.num_heads = 7; }},
      {"sizes", "key", "12",
       [](AttentionCall& c) {
         c.kv_heads = 2;
         c.value.dims[2] = 18;
       }},
      {"divide", "kvHeads", "4 query",
       [](AttentionCall& c) {
         c.num_heads = 4;
         c.query.dims[2] = 32;
       }},
  };
  for (const Refusal& refusal : refusals) expect_refused(good_packed_call(), refusal);
}

TEST(AttentionValidate, RefusesOptions) {
  static const std::int32_t too_long[2] = {5, 8};
  static const std::int32_t negative[2] = {-1, 5};
  const double infinity = std::numeric_limits<double>::infinity();
  const Refusal refusals[] = {
      {"scale", "scale", "Infinity", [=](AttentionCall& c) { c.scale = infinity; }},
      {"scale in float", "scale", "1e+60", [](AttentionCall& c) { c.scale = 1e60; }},
      {"softcap", "softcap", "-1", [](AttentionCall& c) { c.softcap = -1.0; }},
      {"softcap NaN", "softcap", "NaN", [=](AttentionCall& c) { c.softcap = infinity - infinity; }},
      {"softcap vanishes", "softcap", "1e-60", [](AttentionCall& c) { c.softcap = 1e-60; }},
      {"window", "window", "-2", [](AttentionCall& c) { c.window_left = -2; }},
      {"lengths", "kvLengths", "8",
       [](AttentionCall& c) {
         c.kv_lengths = too_long;
         c.kv_lengths_size = 2;
       }},
      {"negative length", "kvLengths", "-1",
       [](AttentionCall& c) {
         c.kv_lengths = negative;
         c.kv_lengths_size = 2;
       }},
      {"number of lengths", "kvLengths", "1", [](AttentionCall& c) { c.kv_lengths_size = 1; }},
      {"head mask", "headMask", "3", [](AttentionCall& c) { c.head_mask_size = 3; }},
      {"key mask", "keyMask", "[2, 6]",
       [](AttentionCall& c) {
         c.key_mask_rank = 2;
         c.key_mask_dims = {2, 6};
       }},
      {"past key alone", "pastValue", "nothing",
       [](AttentionCall& c) { c.past_key = {nullptr, 4, {2, 3, 9, 8}}; }},
      {"past value alone", "pastKey", "nothing",
       [](AttentionCall& c) { c.past_value = {nullptr, 4, {2, 3, 9, 9}}; }},
      {"past lengths", "pastValue", "10",
       [](AttentionCall& c) {
         c.past_key = {nullptr, 4, {2, 3, 9, 8}};
         c.past_value = {nullptr, 4, {2, 3, 10, 9}};
       }},
      {"past and lengths", "kvLengths", "pastKey",
       [](AttentionCall& c) {
         c.past_key = {nullptr, 4, {2, 3, 9, 8}};
         c.past_value = {nullptr, 4, {2, 3, 9, 9}};
         c.kv_lengths_size = 2;
       }},
  };
  for (const Refusal& refusal : refusals) expect_refused(good_call(), refusal);
}

TEST(AttentionValidate, JudgesMasks) {
  const auto judge = [](int rank, std::array<std::int64_t, 8> dims) {
    AttentionCall call = good_call();
    call.mask.rank = rank;
    call.mask.dims = dims;
    AttentionShape shape;
    return validate(call, &shape).ok();
  };
  EXPECT_TRUE(judge(1, {7}));
  EXPECT_TRUE(judge(1, {4}));  // a shorter last axis
  EXPECT_TRUE(judge(2, {5, 7}));
  EXPECT_TRUE(judge(2, {1, 7}));
  EXPECT_TRUE(judge(3, {6, 5, 7}));
  EXPECT_TRUE(judge(4, {2, 1, 5, 7}));
  EXPECT_FALSE(judge(1, {1}));  // broadcast, or one key?
  EXPECT_FALSE(judge(1, {8}));
  EXPECT_FALSE(judge(2, {4, 7}));
  EXPECT_FALSE(judge(3, {2, 5, 7}));  // rank 3 is heads, not batch
  EXPECT_FALSE(judge(4, {3, 1, 5, 7}));
  EXPECT_FALSE(judge(5, {1, 2, 6, 5, 7}));
}

TEST(AttentionValidate, JudgesCaches) {
  KeyValueCache cache;
  ASSERT_TRUE(cache.create({2, 3, 8, 9, 10}).ok());
  AttentionCall call = good_call();
  cache.describe(&call);
  AttentionShape shape;
  EXPECT_TRUE(validate(call, &shape).ok());
  EXPECT_EQ(shape.kv_length, 7);
  call.cache_length = 4;  // 4 + 7 > 10
  const Status full = validate(call, &shape);
  EXPECT_EQ(full.argument(), "cache");
  EXPECT_NE(full.expected().find("10"), std::string::npos);
  EXPECT_NE(full.received().find("length 4 and 7 new"), std::string::npos);
  call.cache_length = 0;
  call.kv_lengths_size = 2;
  EXPECT_EQ(validate(call, &shape).argument(), "kvLengths");
  call.kv_lengths_size.reset();
  call.past_key = {nullptr, 4, {2, 3, 9, 8}};
  EXPECT_EQ(validate(call, &shape).argument(), "pastKey");
  call.past_key = {};
  call.cache_head_dim = 16;
  EXPECT_EQ(validate(call, &shape).argument(), "cache");
}

TEST(AttentionValidate, ResultsBeyondMemoryAreRefused) {
  constexpr std::int64_t kLong = std::int64_t{1} << 40;  // each tensor fits, their pairs do not
  AttentionCall call;
  call.query = call.key = call.value = {nullptr, 4, {1, 1, kLong, 8}};
  AttentionShape shape;
  EXPECT_EQ(validate(call, &shape).code(), StatusCode::kOutOfMemory);
}

// An empty tensor has strides too: found by the fuzzer as an overflow.
TEST(AttentionValidate, SizesBesideAnEmptyOneStillCount) {
  constexpr std::int64_t kLong = std::int64_t{1} << 40;
  AttentionCall call;
  call.query = call.key = call.value = {nullptr, 4, {0, kLong, kLong, 8}};
  AttentionShape shape;
  const Status status = validate(call, &shape);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(status.argument(), "query");
  EXPECT_NE(status.expected().find("2^53"), std::string::npos);
}

TEST(AttentionValidate, AnEmptyResultNeedsNoWorkspaceHoweverWide) {
  constexpr std::int64_t kWide = std::int64_t{1} << 50;
  AttentionCall call;
  call.query = call.key = call.value = {nullptr, 4, {0, 1, 1, kWide}};
  AttentionShape shape;
  ASSERT_TRUE(validate(call, &shape).ok());
  AttentionProblem problem = resolve(call, shape, nullptr, nullptr);
  problem.output = Tensor<float, 4>::contiguous(nullptr, {0, 1, 1, kWide});
  EXPECT_TRUE(attention(problem).ok());
}

}  // namespace
}  // namespace headwise
