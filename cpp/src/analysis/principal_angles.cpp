#include "headwise/analysis/principal_angles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/tensors.hpp"
#include "analysis/vectors.hpp"
#include "text.hpp"

namespace headwise::analysis {

Status PrincipalAngles::measure(const TensorArgument& tensor, const char* argument, Bases* bases) {
  HEADWISE_RETURN_IF_ERROR(check_tensor(tensor, argument, 2, 3, "[H, D, R] or [D, R], none 0"));
  const bool many = tensor.rank == 3;
  bases->from = tensor;
  bases->count = many ? tensor.dims[0] : 1;
  bases->dimension = tensor.dims[many ? 1 : 0];
  bases->columns = tensor.dims[many ? 2 : 1];
  return take({{&bases->rows, bases->count * bases->columns * bases->dimension}});
}

Status PrincipalAngles::begin(const TensorArgument& a, const TensorArgument& b) {
  is_own_ = !b.given();
  next_ = 0;
  HEADWISE_RETURN_IF_ERROR(measure(a, "a", &a_));
  if (!is_own_) HEADWISE_RETURN_IF_ERROR(measure(b, "b", &b_));
  if (others().dimension != a_.dimension) {
    return Status::invalid("b", "columns of length " + text(a_.dimension) + ", as those of a",
                           shape_text(b.dims, b.rank));
  }
  count_a = a_.count;
  count_b = others().count;
  most = std::min(std::min(a_.columns, others().columns), a_.dimension);
  return take({{&ranks_a, count_a}, {&ranks_b, count_b}, {&angles, count_a * count_b * most}});
}

Status PrincipalAngles::make_basis(Bases* bases, std::int64_t place, Buffer<float>* ranks) {
  const auto [dimension, columns] = std::pair(bases->dimension, bases->columns);
  HEADWISE_RETURN_IF_ERROR(values_.create(columns, dimension, true));
  const float* from = bases->from.data + place * dimension * columns;
  for (std::int64_t i = 0; i < dimension; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) values_.entry(j, i) = from[i * columns + j];
  }
  HEADWISE_RETURN_IF_ERROR(values_.finish());
  const std::int64_t rank = values_.rank();
  (*ranks)[place] = static_cast<float>(rank);
  double* rows = bases->rows.data() + place * columns * dimension;
  for (std::int64_t k = 0; k < rank; ++k) {
    for (std::int64_t i = 0; i < dimension; ++i) *rows++ = values_.right(k, i);
  }
  return {};
}

Status PrincipalAngles::compare(std::int64_t a, std::int64_t b) {
  const Bases& other = others();
  const auto rank_a = static_cast<std::int64_t>(ranks_a[a]);
  const auto rank_b = static_cast<std::int64_t>(other_ranks()[b]);
  const std::int64_t rank = std::min(rank_a, rank_b);
  float* out = angles.data() + (a * count_b + b) * most;
  std::fill_n(out, most, std::numeric_limits<float>::quiet_NaN());
  if (rank == 0) return {};
  const double* rows_a = a_.rows.data() + a * a_.columns * a_.dimension;
  const double* rows_b = other.rows.data() + b * other.columns * other.dimension;
  HEADWISE_RETURN_IF_ERROR(values_.create(rank_a, rank_b, false));
  for (std::int64_t i = 0; i < rank_a; ++i) {
    for (std::int64_t j = 0; j < rank_b; ++j) {
      values_.entry(i, j) = dot(rows_a + i * a_.dimension, rows_b + j * a_.dimension, a_.dimension);
    }
  }
  HEADWISE_RETURN_IF_ERROR(values_.finish());
  for (std::int64_t k = 0; k < rank; ++k) {
    out[k] = static_cast<float>(std::acos(std::min(values_.value(k), 1.0)));
  }
  return {};
}

// First all bases, then the rows of pairs.
Status PrincipalAngles::step(bool* done) {
  const std::int64_t place = next_++;
  const std::int64_t bases = count_a + (is_own_ ? 0 : count_b);
  if (place < count_a) HEADWISE_RETURN_IF_ERROR(make_basis(&a_, place, &ranks_a));
  if (place < bases && place >= count_a) {
    HEADWISE_RETURN_IF_ERROR(make_basis(&b_, place - count_a, &ranks_b));
  }
  if (place >= bases) {
    const std::int64_t a = place - bases;
    for (std::int64_t b = is_own_ ? a : 0; b < count_b; ++b) {
      HEADWISE_RETURN_IF_ERROR(compare(a, b));
      const float* angle = angles.data() + (a * count_b + b) * most;
      if (is_own_) std::copy_n(angle, most, angles.data() + (b * count_b + a) * most);
    }
  }
  *done = next_ == bases + count_a;
  if (*done && is_own_) std::copy_n(ranks_a.data(), count_a, ranks_b.data());
  return {};
}

}  // namespace headwise::analysis
