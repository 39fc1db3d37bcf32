// A growing array of words that are not initialised: std::vector would fill new space with zeros.
// Large buffers grow by remapping their pages instead of copying them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace zermelo::dd {

template <class Word>
class WordBuffer {
 public:
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  const Word* data() const { return words_.get(); }
  Word* data() { return words_.get(); }
  const Word& operator[](std::size_t i) const { return words_.get()[i]; }
  Word& operator[](std::size_t i) { return words_.get()[i]; }

  void clear() { size_ = 0; }
  // New words are uninitialised.
  void resize(std::size_t size) {
    if (size > capacity_) grow(size);
    size_ = size;
  }
  void append(const Word* words, std::size_t count) {
    const std::size_t at = size_;
    resize(at + count);
    for (std::size_t i = 0; i < count; ++i) words_.get()[at + i] = words[i];
  }

 private:
  struct Free {
    void operator()(Word* words) const { std::free(words); }
  };

  [[gnu::noinline]] void grow(std::size_t size) {
    const std::size_t capacity = std::max<std::size_t>({64, size, capacity_ + capacity_ / 2});
    void* const words = std::realloc(words_.get(), capacity * sizeof(Word));
    if (words == nullptr) throw std::bad_alloc();
    words_.release();
    words_.reset(static_cast<Word*>(words));
    capacity_ = capacity;
  }

  std::unique_ptr<Word, Free> words_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace zermelo::dd
