// Exact decimal numbers, the numbers of computed functions (functions.h).
//
//   const auto price = gdl::Decimal::parse("4.4");
//   gdl::multiplied(*price, *gdl::Decimal::parse("1.1"))->text();  // "4.84"
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace zermelo::gdl {

// A number with up to 9 digits before and up to 9 digits after the decimal point.
class Decimal {
 public:
  static constexpr std::size_t digits_after_point = 9;
  static constexpr std::int64_t unit = 1'000'000'000;          // 1 in billionths
  static constexpr std::int64_t limit = 1'000'000'000 * unit;  // exceeds every number

  // Reads an optional minus sign, digits, and optionally a point and more digits. Returns nullopt
  // for other texts and for numbers that need more digits.
  static std::optional<Decimal> parse(std::string_view text);
  // Returns nullopt if the number has too many digits before the point.
  static std::optional<Decimal> from_billionths(std::int64_t billionths);

  std::int64_t billionths() const { return billionths_; }
  // The shortest spelling: no leading zeros, no zeros at the end of the fraction, no -0.
  std::string text() const;

  auto operator<=>(const Decimal&) const = default;

 private:
  explicit Decimal(std::int64_t billionths) : billionths_(billionths) {}

  std::int64_t billionths_;
};

// These return nullopt if the result has too many digits before the point, or does not exist. Sums
// and differences are exact. Products, quotients and powers are rounded to the nearest number; of
// two equally near ones, to the one farther from zero.
std::optional<Decimal> added(Decimal a, Decimal b);
std::optional<Decimal> subtracted(Decimal a, Decimal b);
std::optional<Decimal> multiplied(Decimal a, Decimal b);
// There is no quotient by zero.
std::optional<Decimal> divided(Decimal a, Decimal b);
// The exponent must be an integer. Every multiplication is rounded. The power of a negative
// exponent is the quotient of 1 and the power of the positive one.
std::optional<Decimal> raised(Decimal base, Decimal exponent);

}  // namespace zermelo::gdl
