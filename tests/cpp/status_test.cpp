#include "headwise/status.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace headwise {
namespace {

TEST(Status, OfASuccessIsEmpty) {
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::kOk);
  EXPECT_EQ(status.argument() + status.expected() + status.received(), "");
}

TEST(Status, SaysWhatWasWrongWhereverItIsHandedOn) {
  Status status = Status::invalid(std::string("query"), "rank 4", std::string("rank 2"));
  Status handed = std::move(status).at(3);
  EXPECT_FALSE(handed.ok());
  EXPECT_EQ(handed.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(handed.argument(), "query[3]");
  EXPECT_EQ(handed.expected(), "rank 4");
  EXPECT_EQ(handed.received(), "rank 2");
  EXPECT_EQ(Status::unsupported("model", std::string("a decoder"), "an encoder").code(),
            StatusCode::kUnsupported);
  EXPECT_EQ(Status::out_of_memory("weights", "memory", "none").code(), StatusCode::kOutOfMemory);
  handed = Status();
  EXPECT_TRUE(handed.ok());
}

}  // namespace
}  // namespace headwise
