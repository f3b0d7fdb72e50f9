// What the tests of the analyses share: tensors of what is at hand, runs to the end, golden values.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

#include "headwise/attention.hpp"
#include "support/safetensors.hpp"

namespace headwise::test {

inline TensorArgument tensor(const std::vector<float>& data,
                             std::initializer_list<std::int64_t> dims) {
  TensorArgument argument{data.data(), static_cast<int>(dims.size()), {}};
  std::copy(dims.begin(), dims.end(), argument.dims.begin());
  return argument;
}

template <class Analysis>
void finish(Analysis& analysis) {
  for (bool done = false; !done;) ASSERT_TRUE(analysis.step(&done).ok());
}

// A file of tests/golden: tensors with their dims.
class GoldenCases {
 public:
  explicit GoldenCases(const std::string& name = "analysis/cases") {
    const std::string path =
        std::string(HEADWISE_REPOSITORY) + "/tests/golden/" + name + ".safetensors";
    EXPECT_TRUE(file_.open(path)) << path;
  }
  std::vector<float> values(const std::string& name) const { return file_.values<float>(name); }
  std::vector<std::int32_t> integers(const std::string& name) const {
    return file_.values<std::int32_t>(name);
  }
  std::vector<std::int64_t> dims(const std::string& name) const { return file_.entry(name).dims; }

 private:
  SafetensorsFile file_;
};

inline TensorArgument tensor(const std::vector<float>& data,
                             const std::vector<std::int64_t>& dims) {
  TensorArgument argument{data.data(), static_cast<int>(dims.size()), {}};
  std::copy(dims.begin(), dims.end(), argument.dims.begin());
  return argument;
}

inline void expect_near(const float* got, const std::vector<float>& expected, double tolerance) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(got[i], expected[i], tolerance) << "at " << i;
  }
}

}  // namespace headwise::test
