#include "headwise/activation_cache.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace headwise {
namespace {

TEST(ActivationNames, AStarStandsForAnyRun) {
  const char* name = "blocks.3.attn.hook_pattern";
  EXPECT_TRUE(matches_pattern("blocks.3.attn.hook_pattern", name));
  EXPECT_TRUE(matches_pattern("blocks.*.attn.hook_pattern", name));
  EXPECT_TRUE(matches_pattern("*", name));
  EXPECT_TRUE(matches_pattern("*pattern", name));
  EXPECT_TRUE(matches_pattern("blocks*", name));
  EXPECT_TRUE(matches_pattern("*3*attn*", name));
  EXPECT_TRUE(matches_pattern("**", ""));
  EXPECT_TRUE(matches_pattern("*.hook_z", "a.hook_z.hook_z"));
  EXPECT_FALSE(matches_pattern("blocks.*.attn.hook_z", name));
  EXPECT_FALSE(matches_pattern("blocks.3.attn.hook_patter", name));
  EXPECT_FALSE(matches_pattern("", name));
  EXPECT_FALSE(matches_pattern("a*b*c", "acb"));
}

TEST(ActivationNames, APatternThatFitsNothingListsNearNames) {
  const std::vector<std::string> known = {"hook_full_embed", "blocks.0.attn.hook_pattern",
                                          "blocks.0.attn.hook_z", "blocks.1.attn.hook_z"};
  std::vector<bool> selected;
  ASSERT_TRUE(select_names({"*.hook_z", "hook_full_embed"}, known, "names", &selected).ok());
  EXPECT_EQ(selected, (std::vector<bool>{true, false, true, true}));
  const Status status = select_names({"blocks.0.attn.hook_q"}, known, "names", &selected);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(status.argument(), "names");
  EXPECT_EQ(status.received(), "blocks.0.attn.hook_q");
  EXPECT_NE(status.expected().find("blocks.0.attn.hook_z"), std::string::npos);
}

TEST(ActivationCache, OwnsWhatItKeeps) {
  const std::size_t blocks = memory_use().blocks;
  {
    ActivationCache cache;
    float* data = nullptr;
    ASSERT_TRUE(cache.add("hook_full_embed", {1, 2, 3}, &data).ok());
    data[5] = 7.0F;
    const Activation* found = cache.find("hook_full_embed");
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->dims, (std::vector<std::int64_t>{1, 2, 3}));
    EXPECT_EQ(found->data[5], 7.0F);
    EXPECT_EQ(cache.find("hook_embed"), nullptr);
    EXPECT_EQ(memory_use().blocks, blocks + 1);
  }
  EXPECT_EQ(memory_use().blocks, blocks);
}

TEST(ActivationCache, RunningOutOfMemoryIsAStatus) {
  ActivationCache cache;
  float* data = nullptr;
  set_memory_limit(memory_use().used + 100);
  const Status status = cache.add("hook_full_embed", {1, 100, 3}, &data);
  set_memory_limit(std::numeric_limits<std::size_t>::max());
  EXPECT_EQ(status.code(), StatusCode::kOutOfMemory);
  EXPECT_TRUE(cache.activations().empty());
}

}  // namespace
}  // namespace headwise
