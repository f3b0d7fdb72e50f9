#include "headwise/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace headwise::reference {

void linear(const double* x, const double* weight, const double* bias, std::int64_t rows,
            std::int64_t in, std::int64_t out, double* y) {
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t o = 0; o < out; ++o) {
      double sum = bias == nullptr ? 0.0 : bias[o];
      for (std::int64_t i = 0; i < in; ++i) sum += x[row * in + i] * weight[o * in + i];
      y[row * out + o] = sum;
    }
  }
}

void layer_norm(const double* x, const double* weight, const double* bias, double epsilon,
                std::int64_t rows, std::int64_t width, double* y, double* scale,
                double* normalized) {
  for (std::int64_t row = 0; row < rows; ++row) {
    const double* source = x + row * width;
    double mean = 0.0;
    for (std::int64_t c = 0; c < width; ++c) mean += source[c];
    mean /= static_cast<double>(width);
    double variance = 0.0;
    for (std::int64_t c = 0; c < width; ++c) variance += (source[c] - mean) * (source[c] - mean);
    variance /= static_cast<double>(width);
    const double root = std::sqrt(variance + epsilon);
    if (scale != nullptr) scale[row] = root;
    for (std::int64_t c = 0; c < width; ++c) {
      const double value = (source[c] - mean) / root;
      if (normalized != nullptr) normalized[row * width + c] = value;
      y[row * width + c] = value * weight[c] + bias[c];
    }
  }
}

double gelu(double x) { return x * 0.5 * std::erfc(-x / std::sqrt(2.0)); }

void softmax(const double* x, std::int64_t count, double* y) {
  double largest = -std::numeric_limits<double>::infinity();
  for (std::int64_t i = 0; i < count; ++i) largest = std::max(largest, x[i]);
  double sum = 0.0;
  for (std::int64_t i = 0; i < count; ++i) {
    y[i] = std::isinf(largest) && largest < 0.0 ? 0.0 : std::exp(x[i] - largest);
    sum += y[i];
  }
  for (std::int64_t i = 0; i < count && sum > 0.0; ++i) y[i] /= sum;
}

void embedding(const double* table, std::int64_t width, const std::int32_t* ids, std::int64_t count,
               double* y) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::copy(table + ids[i] * width, table + (ids[i] + 1) * width, y + i * width);
  }
}

namespace {

// Positions of one turn of a pair, stretched as Llama 3.1 does: long ones by the factor, short ones
// not, those between by a mean of both.
double wavelength(const RotaryConfig& config, double plain) {
  if (config.original_positions == 0) return plain * config.scaling;
  const auto original = static_cast<double>(config.original_positions);
  if (plain < original / config.high_frequency_factor) return plain;
  if (plain > original / config.low_frequency_factor) return plain * config.scaling;
  const double smooth = (original / plain - config.low_frequency_factor) /
                        (config.high_frequency_factor - config.low_frequency_factor);
  return 1.0 / ((1.0 - smooth) / (plain * config.scaling) + smooth / plain);
}

}  // namespace

void rotary(const RotaryConfig& config, std::int64_t head_dim, const std::int32_t* positions,
            std::int64_t length, double* x) {
  const std::int64_t dim = config.dim == 0 ? head_dim : config.dim;
  for (std::int64_t i = 0; i < length; ++i) {
    for (std::int64_t c = 0; c < dim / 2; ++c) {
      double& first = x[i * head_dim + (config.interleaved ? 2 * c : c)];
      double& second = x[i * head_dim + (config.interleaved ? 2 * c + 1 : c + dim / 2)];
      const double turn = 2.0 * std::numbers::pi;
      const double plain =
          turn * std::pow(config.base, 2.0 * static_cast<double>(c) / static_cast<double>(dim));
      const double angle = positions[i] * turn / wavelength(config, plain);
      const double turned = first * std::cos(angle) - second * std::sin(angle);
      second = first * std::sin(angle) + second * std::cos(angle);
      first = turned;
    }
  }
}

}  // namespace headwise::reference
