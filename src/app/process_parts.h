// What running another program needs: file descriptors that close themselves, pipes, limits.
#pragma once

#include <cstddef>
#include <utility>

namespace zermelo::app {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor() { close(); }
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  int get() const { return number_; }
  void close();

 private:
  int number_ = -1;
};

// Its ends are closed in programs that are started.
struct Pipe {
  FileDescriptor read, write;

  bool open();
};

// Lowers a limit of setrlimit for this process. May be called between fork and exec.
void set_limit(int resource, std::size_t value);

// Reads what the child wrote before exec: the error number, if exec failed; otherwise 0.
int read_start_error(const FileDescriptor& pipe);

}  // namespace zermelo::app
