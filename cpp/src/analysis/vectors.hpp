// Vectors of doubles: the loops in which the analyses spend their time.
#pragma once

#include <cstdint>

namespace headwise::analysis {

// About how many multiply-adds a slice may cost: some 10 ms.
inline constexpr double kSliceCost = 1e7;

double dot(const double* x, const double* y, std::int64_t length);

// y += factor x
void add_scaled(double* y, double factor, const double* x, std::int64_t length);

// x, y = cosine x - sine y, sine x + cosine y
void rotate(double* x, double* y, std::int64_t length, double cosine, double sine);

// 1, or -1 where the entry that is farthest from zero is negative.
double sign_of_largest(const double* x, std::int64_t length);

}  // namespace headwise::analysis
