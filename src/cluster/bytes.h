// Numbers, texts and lists as the bytes of a message. All ranks of a job run the same program on
// machines of the same byte order.
#pragma once

#include <cassert>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cluster/transport.h"

namespace zermelo::cluster {

class ByteWriter {
 public:
  template <class Value>
  void put(const Value& value) {
    put_all(std::span<const Value>(&value, 1));
  }
  // Without their number.
  template <class Value>
  void put_all(std::span<const Value> values) {
    static_assert(std::is_trivially_copyable_v<Value>);
    const auto* begin = reinterpret_cast<const std::uint8_t*>(values.data());
    bytes_.insert(bytes_.end(), begin, begin + values.size_bytes());
  }
  // With their number.
  template <class Value>
  void put_list(const std::vector<Value>& values) {
    put<std::uint64_t>(values.size());
    put_all(std::span<const Value>(values));
  }
  void put_text(std::string_view text) {
    put<std::uint64_t>(text.size());
    put_all(std::span<const char>(text));
  }

  std::size_t size() const { return bytes_.size(); }
  Bytes take() { return std::exchange(bytes_, {}); }

 private:
  Bytes bytes_;
};

// Reads what a ByteWriter wrote, in the same order. The bytes must outlive it.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  bool at_end() const { return rest_.empty(); }
  template <class Value>
  Value get() {
    Value value{};
    get_all(std::span<Value>(&value, 1));
    return value;
  }
  template <class Value>
  void get_all(std::span<Value> values) {
    static_assert(std::is_trivially_copyable_v<Value>);
    assert(values.size_bytes() <= rest_.size());
    if (!values.empty()) std::memcpy(values.data(), rest_.data(), values.size_bytes());
    rest_ = rest_.subspan(values.size_bytes());
  }
  template <class Value>
  std::vector<Value> get_list() {
    std::vector<Value> values(get<std::uint64_t>());
    get_all(std::span<Value>(values));
    return values;
  }
  std::string get_text() {
    std::string text(get<std::uint64_t>(), ' ');
    get_all(std::span<char>(text));
    return text;
  }

 private:
  std::span<const std::uint8_t> rest_;
};

}  // namespace zermelo::cluster
