#include "solve/folder/equilibrium_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <string_view>

namespace zermelo::solve {
namespace {

constexpr std::string_view equilibria_magic = "ZEQ1";

template <class Number>
void append_number(std::string& bytes, Number number) {
  for (std::size_t byte = 0; byte < sizeof(Number); ++byte) {
    bytes += static_cast<char>(number >> (8 * byte) & 0xff);
  }
}

void append_double(std::string& bytes, double number) {
  append_number(bytes, std::bit_cast<std::uint64_t>(number));
}

void append_strategy(std::string& bytes, const MixedStrategy& strategy) {
  append_number(bytes, static_cast<std::uint32_t>(strategy.size()));
  for (const Choice& choice : strategy) {
    append_number(bytes, choice.move);
    append_double(bytes, choice.probability);
  }
}

// Reads numbers in order. After the end, everything is invalid.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  bool is_valid() const { return is_valid_; }
  bool is_at_end() const { return bytes_.empty(); }
  void refuse() { is_valid_ = false; }

  std::uint64_t number(std::size_t size) {
    if (bytes_.size() < size) is_valid_ = false;
    if (!is_valid_) return 0;
    std::uint64_t number = 0;
    for (std::size_t byte = 0; byte < size; ++byte) {
      number |= std::uint64_t{static_cast<unsigned char>(bytes_[byte])} << (8 * byte);
    }
    bytes_.remove_prefix(size);
    return number;
  }

  double real() {
    const double number = std::bit_cast<double>(this->number(8));
    if (!std::isfinite(number)) refuse();
    return number;
  }

  // The number of items that follow, of which each has at least `size` bytes.
  std::size_t count(std::size_t size) {
    const std::uint64_t count = number(4);
    if (count * size > bytes_.size()) refuse();
    return is_valid_ ? count : 0;
  }

 private:
  std::string_view bytes_;
  bool is_valid_ = true;
};

MixedStrategy read_strategy(ByteReader& reader) {
  MixedStrategy strategy(reader.count(12));
  for (Choice& choice : strategy) {
    choice.move = static_cast<std::uint32_t>(reader.number(4));
    choice.probability = reader.real();
    if (!(choice.probability > 0 && choice.probability <= 1)) reader.refuse();
  }
  const bool is_ascending =
      std::adjacent_find(strategy.begin(), strategy.end(), [](const Choice& a, const Choice& b) {
        return a.move >= b.move;
      }) == strategy.end();
  if (!is_ascending) reader.refuse();
  return strategy;
}

Equilibrium read_equilibrium(ByteReader& reader, std::size_t roles) {
  Equilibrium equilibrium;
  const std::uint64_t number = reader.number(1);
  if (number >= solution_concepts.size()) reader.refuse();
  equilibrium.solution_concept = static_cast<SolutionConcept>(number);
  if (reader.number(4) != roles) reader.refuse();
  for (std::size_t role = 0; role < roles && reader.is_valid(); ++role) {
    equilibrium.low.push_back(reader.real());
    equilibrium.high.push_back(reader.real());
    if (equilibrium.low.back() > equilibrium.high.back()) reader.refuse();
  }
  const std::size_t strategies = reader.count(4);
  if (strategies != 0 && strategies != roles) reader.refuse();
  for (std::size_t role = 0; role < strategies && reader.is_valid(); ++role) {
    equilibrium.strategies.push_back(read_strategy(reader));
    if (equilibrium.strategies.back().empty()) reader.refuse();
  }
  equilibrium.joint = read_strategy(reader);
  return equilibrium;
}

}  // namespace

std::string bytes_of(const Equilibrium& equilibrium) {
  std::string bytes;
  append_number(bytes, static_cast<std::uint8_t>(equilibrium.solution_concept));
  append_number(bytes, static_cast<std::uint32_t>(equilibrium.low.size()));
  for (std::size_t role = 0; role < equilibrium.low.size(); ++role) {
    append_double(bytes, equilibrium.low[role]);
    append_double(bytes, equilibrium.high[role]);
  }
  append_number(bytes, static_cast<std::uint32_t>(equilibrium.strategies.size()));
  for (const MixedStrategy& strategy : equilibrium.strategies) append_strategy(bytes, strategy);
  append_strategy(bytes, equilibrium.joint);
  return bytes;
}

std::string bytes_of(const std::vector<Equilibrium>& equilibria, std::size_t roles) {
  std::string bytes(equilibria_magic);
  append_number(bytes, static_cast<std::uint32_t>(roles));
  append_number(bytes, static_cast<std::uint32_t>(equilibria.size()));
  for (const Equilibrium& equilibrium : equilibria) bytes += bytes_of(equilibrium);
  return bytes;
}

base::Result<std::vector<Equilibrium>> equilibria_of(const std::string& bytes, std::size_t roles) {
  std::vector<Equilibrium> equilibria;
  if (bytes.starts_with(equilibria_magic)) {
    ByteReader reader(std::string_view(bytes).substr(equilibria_magic.size()));
    if (reader.number(4) != roles) reader.refuse();
    const std::size_t count = reader.count(13);
    for (std::size_t i = 0; i < count && reader.is_valid(); ++i) {
      equilibria.push_back(read_equilibrium(reader, roles));
    }
    if (reader.is_valid() && reader.is_at_end()) return equilibria;
  }
  return base::fail(base::ErrorKind::unreadable_input, "it does not hold equilibria");
}

}  // namespace zermelo::solve
