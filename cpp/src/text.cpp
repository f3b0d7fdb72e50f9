// Written by hand because printf, to_chars and to_string weigh more than a kernel.
#include "text.hpp"

#include <cmath>
#include <cstdlib>
#include <iterator>

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
  while (magnitude >= 10.0) {
    magnitude /= 10.0;
    ++exponent;
  }
  while (magnitude < 1.0) {
    magnitude *= 10.0;
    --exponent;
  }
  // Rounding may carry into a tenth digit, which is then a zero like those cut off.
  std::string digits = text(static_cast<std::int64_t>(magnitude * 1e8 + 0.5));
  if (digits.size() > kDigits) ++exponent;
  digits.erase(digits.find_last_not_of('0') + 1);
  return {.digits = digits, .point = exponent + 1};
}

std::string plain(const Decimal& value) {
  std::string text = value.digits;
  const auto count = static_cast<int>(text.size());
  if (value.point <= 0) {
    text.insert(0, static_cast<std::size_t>(2 - value.point), '0');
    text[1] = '.';
  } else if (value.point < count) {
    text.insert(static_cast<std::size_t>(value.point), 1, '.');
  } else {
    text.append(static_cast<std::size_t>(value.point - count), '0');
  }
  return text;
}

std::string scientific(const Decimal& value) {
  std::string text = value.digits;
  if (text.size() > 1) text.insert(1, 1, '.');
  const int exponent = value.point - 1;
  text += exponent < 0 ? "e-" : "e+";
  return text += headwise::text(std::int64_t{std::abs(exponent)});
}

}  // namespace

std::string text(std::int64_t number) {
  char digits[20];
  char* const end = std::end(digits);
  char* first = end;
  auto left = static_cast<std::uint64_t>(number);
  if (number < 0) left = 0 - left;
  do {
    *--first = static_cast<char>('0' + left % 10);
    left /= 10;
  } while (left > 0);
  if (number < 0) *--first = '-';
  return {first, end};
}

std::string text(double number) {
  if (std::isnan(number)) return "NaN";
  if (number < 0.0) return text(-number).insert(0, 1, '-');
  if (std::isinf(number)) return "Infinity";
  if (number == 0.0) return "0";
  const Decimal value = decimal(number);
  return value.point > -6 && value.point <= 21 ? plain(value) : scientific(value);
}

}  // namespace headwise
