#include "headwise/analysis/factorisation.hpp"

#include "analysis/tensors.hpp"
#include "text.hpp"

namespace headwise::analysis {

Status Factorisation::begin(const TensorArgument& x, std::optional<std::int64_t> rank) {
  HEADWISE_RETURN_IF_ERROR(check_tensor(x, "x", 2, 2, "a matrix [M, N], M and N at least 1"));
  rows_ = x.dims[0];
  columns_ = x.dims[1];
  const std::int64_t most = rows_ < columns_ ? rows_ : columns_;
  terms = rank.value_or(most);
  if (terms < 1 || terms > most) {
    return Status::invalid("rank", "1 to " + text(most) + ", the shorter side of x", text(terms));
  }
  HEADWISE_RETURN_IF_ERROR(values_.create(rows_, columns_, true));
  for (std::int64_t i = 0; i < rows_; ++i) {
    for (std::int64_t j = 0; j < columns_; ++j) values_.entry(i, j) = x.data[i * columns_ + j];
  }
  return take({{&u, rows_ * terms}, {&s, most}, {&vh, terms * columns_}});
}

Status Factorisation::step(bool* done) {
  HEADWISE_RETURN_IF_ERROR(values_.step(done));
  if (!*done) return {};
  for (std::int64_t k = 0; k < s.size(); ++k) s[k] = static_cast<float>(values_.value(k));
  for (std::int64_t k = 0; k < terms; ++k) {
    for (std::int64_t i = 0; i < rows_; ++i) {
      u[i * terms + k] = static_cast<float>(values_.left(i, k));
    }
    for (std::int64_t j = 0; j < columns_; ++j) {
      vh[k * columns_ + j] = static_cast<float>(values_.right(k, j));
    }
  }
  return {};
}

}  // namespace headwise::analysis
