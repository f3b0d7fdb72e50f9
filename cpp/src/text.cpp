// Written by hand because printf and to_chars for doubles weigh more than a kernel.
#include "text.hpp"

#include <cmath>

namespace headwise {
namespace {

constexpr int kDigits = 9;

// magnitude ~ 0.d1d2d3... * 10^point, without the zeros at the end.
struct Decimal {
  std::string digits;
  int point = 0;
};

Decimal decimal(double magnitude) {
  int exponent = 0;
  for (; magnitude >= 10.0; magnitude /= 10.0) ++exponent;
  for (; magnitude < 1.0; magnitude *= 10.0) --exponent;
  // Rounding may carry into a tenth digit, which is then a zero like those cut off.
  std::string digits = std::to_string(std::llround(magnitude * 1e8));
  if (digits.size() > kDigits) ++exponent;
  digits.erase(digits.find_last_not_of('0') + 1);
  return {.digits = digits, .point = exponent + 1};
}

std::string plain(const Decimal& value) {
  const auto& [digits, point] = value;
  const int count = static_cast<int>(digits.size());
  if (point <= 0) return "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  const auto before = static_cast<std::size_t>(point);
  if (point >= count) return digits + std::string(before - digits.size(), '0');
  return digits.substr(0, before) + "." + digits.substr(before);
}

std::string scientific(const Decimal& value) {
  const std::string rest = value.digits.substr(1);
  const int exponent = value.point - 1;
  return value.digits.substr(0, 1) + (rest.empty() ? "" : "." + rest) +
         (exponent < 0 ? "e-" : "e+") + std::to_string(std::abs(exponent));
}

}  // namespace

std::string text(double number) {
  if (std::isnan(number)) return "NaN";
  if (number < 0.0) return "-" + text(-number);
  if (std::isinf(number)) return "Infinity";
  if (number == 0.0) return "0";
  const Decimal value = decimal(number);
  return value.point > -6 && value.point <= 21 ? plain(value) : scientific(value);
}

}  // namespace headwise
