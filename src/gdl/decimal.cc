// A decimal is a 64-bit count of billionths. A product of two counts and a count times a billion
// have at most 36 digits, so they fit into 128 bits, and one rounding gives the nearest number.
#include "gdl/decimal.h"

#include <algorithm>

namespace zermelo::gdl {
namespace {

__extension__ typedef __int128 Wide;

bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Reads digits as an integer; nullopt if it has more than nine significant digits.
std::optional<std::int64_t> small_integer(std::string_view digits) {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.size() > 9) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  return value;
}

// Returns nullopt if the number has too many digits before the point.
std::optional<Decimal> narrowed(Wide billionths) {
  constexpr Wide limit = Decimal::limit;
  if (billionths <= -limit || billionths >= limit) return std::nullopt;
  return Decimal::from_billionths(static_cast<std::int64_t>(billionths));
}

Wide rounded_quotient(Wide numerator, Wide denominator) {
  const bool is_negative = (numerator < 0) != (denominator < 0);
  const Wide n = numerator < 0 ? -numerator : numerator;
  const Wide d = denominator < 0 ? -denominator : denominator;
  const Wide quotient = n / d + (n % d >= d - n % d ? 1 : 0);
  return is_negative ? -quotient : quotient;
}

}  // namespace

std::optional<Decimal> Decimal::parse(std::string_view text) {
  const bool is_negative = text.substr(0, 1) == "-";
  if (is_negative) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  std::string fraction(point == text.npos ? "0" : text.substr(point + 1));
  if (!all_digits(whole) || !all_digits(fraction)) return std::nullopt;
  fraction.erase(fraction.find_last_not_of('0') + 1);
  if (fraction.size() > digits_after_point) return std::nullopt;
  fraction.resize(digits_after_point, '0');
  const auto integer = small_integer(whole);
  if (!integer) return std::nullopt;
  const std::int64_t billionths = *integer * unit + *small_integer(fraction);
  return Decimal(is_negative ? -billionths : billionths);
}

std::optional<Decimal> Decimal::from_billionths(std::int64_t billionths) {
  if (billionths <= -limit || billionths >= limit) return std::nullopt;
  return Decimal(billionths);
}

std::string Decimal::text() const {
  const std::int64_t size = billionths_ < 0 ? -billionths_ : billionths_;
  std::string text = (billionths_ < 0 ? "-" : "") + std::to_string(size / unit);
  if (size % unit == 0) return text;
  std::string fraction = std::to_string(unit + size % unit).substr(1);  // with leading zeros
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return text + "." + fraction;
}

std::optional<Decimal> added(Decimal a, Decimal b) {
  return Decimal::from_billionths(a.billionths() + b.billionths());
}

std::optional<Decimal> subtracted(Decimal a, Decimal b) {
  return Decimal::from_billionths(a.billionths() - b.billionths());
}

std::optional<Decimal> multiplied(Decimal a, Decimal b) {
  return narrowed(rounded_quotient(Wide{a.billionths()} * b.billionths(), Decimal::unit));
}

std::optional<Decimal> divided(Decimal a, Decimal b) {
  if (b.billionths() == 0) return std::nullopt;
  return narrowed(rounded_quotient(Wide{a.billionths()} * Decimal::unit, b.billionths()));
}

std::optional<Decimal> raised(Decimal base, Decimal exponent) {
  if (exponent.billionths() % Decimal::unit != 0) return std::nullopt;
  std::int64_t left = exponent.billionths() / Decimal::unit;
  const bool is_inverse = left < 0;
  if (is_inverse) left = -left;
  std::optional<Decimal> power = Decimal::from_billionths(Decimal::unit);
  std::optional<Decimal> square = base;
  for (; left != 0 && power; left /= 2) {
    if (left % 2 == 1) power = square ? multiplied(*power, *square) : std::nullopt;
    if (square) square = multiplied(*square, *square);
  }
  if (!power || !is_inverse) return power;
  return divided(*Decimal::from_billionths(Decimal::unit), *power);
}

}  // namespace zermelo::gdl
