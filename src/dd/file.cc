#include "dd/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

#include "dd/codes.h"
#include "dd/stop.h"

namespace zermelo::dd {

namespace {

static_assert(std::endian::native == std::endian::little, "files hold little-endian words");

constexpr std::uint8_t magic[8] = {0x89, 'Z', 'D', 'D', '\r', '\n', 0x1a, '\n'};
constexpr std::uint32_t version = 2;
constexpr std::size_t codes_per_block = 4096;
// Compared with level 3, Connect Four 5x5 needs 5% more bytes and two thirds of the time.
constexpr int compression = 1;

constexpr std::size_t header_bytes = 8 + 4 * 4 + 8, level_bytes = 4 + 4 + 8, block_bytes = 3 * 8;
constexpr std::size_t checksum_bytes = 8;

std::size_t rows_per_block(Value domain) {
  return std::max<std::size_t>(1, codes_per_block / domain);
}

std::size_t blocks_for(std::uint64_t rows, std::size_t per_block) {
  return static_cast<std::size_t>((rows + per_block - 1) / per_block);
}

using Bytes = std::vector<std::uint8_t>;

template <class Number>
void put(Bytes& bytes, Number number) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof number);
  std::memcpy(&bytes[at], &number, sizeof number);
}

// Reads numbers in sequence. The caller must have checked that there are enough bytes.
class Reader {
 public:
  explicit Reader(const std::uint8_t* data) : data_(data) {}
  template <class Number>
  Number take() {
    Number number;
    std::memcpy(&number, data_, sizeof number);
    data_ += sizeof number;
    return number;
  }

 private:
  const std::uint8_t* data_;
};

base::Error cannot_write(const std::filesystem::path& path, int error_number) {
  return {base::ErrorKind::unwritable_output,
          "cannot write '" + path.string() + "': " + std::strerror(error_number)};
}

// Reuses zstd's tables from block to block.
class Compressor {
 public:
  // The returned bytes are valid until the next call.
  std::span<const std::uint8_t> compress(const NodeId* children, std::size_t count) {
    const std::size_t bytes = count * sizeof(NodeId);
    out_.resize(ZSTD_compressBound(bytes));
    const std::size_t size =
        ZSTD_compressCCtx(context_.get(), out_.data(), out_.size(), children, bytes, compression);
    assert(!ZSTD_isError(size));
    return {out_.data(), size};
  }

 private:
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context_{ZSTD_createCCtx(), ZSTD_freeCCtx};
  Bytes out_;
};

// Reuses zstd's tables from block to block.
ZSTD_DCtx* decompressor() {
  thread_local const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                                  ZSTD_freeDCtx);
  return context.get();
}

// Compresses the blocks of a diagram in turn.
template <class Visit>
void for_each_block(const Diagram& diagram, Visit visit) {
  Compressor compressor;
  for (std::size_t l = 0; l < diagram.variables(); ++l) {
    const NodeArray& children = diagram.level(l).children;
    const std::size_t step = rows_per_block(diagram.domains()[l]) * diagram.domains()[l];
    for (std::size_t at = 0; at < children.size(); at += step) {
      visit(compressor.compress(&children[at], std::min(step, children.size() - at)));
    }
    diagram.release(l);
  }
}

std::size_t count_blocks(const Diagram& diagram) {
  std::size_t blocks = 0;
  for (std::size_t l = 0; l < diagram.variables(); ++l) {
    blocks += blocks_for(diagram.nodes_at(l), rows_per_block(diagram.domains()[l]));
  }
  return blocks;
}

std::size_t directory_bytes(std::size_t variables, std::size_t blocks) {
  return header_bytes + variables * level_bytes + blocks * block_bytes;
}

Bytes header_of(const Diagram& diagram, std::size_t blocks) {
  Bytes bytes(magic, magic + sizeof magic);
  put(bytes, version);
  put(bytes, diagram.constants());
  put(bytes, static_cast<std::uint32_t>(diagram.variables()));
  put(bytes, diagram.root());
  put(bytes, std::uint64_t{blocks});
  for (std::size_t l = 0; l < diagram.variables(); ++l) {
    put(bytes, diagram.domains()[l]);
    put(bytes, diagram.level(l).base);
    put(bytes, std::uint64_t{diagram.nodes_at(l)});
  }
  return bytes;
}

void write(std::ofstream& out, std::span<const std::uint8_t> bytes) {
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
}

// Reserves space for the directory, writes the blocks, and then the directory with their sizes.
bool write_file(const Diagram& diagram, const std::filesystem::path& path) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  const std::size_t blocks = count_blocks(diagram);
  Bytes directory = header_of(diagram, blocks);
  std::uint64_t offset = directory_bytes(diagram.variables(), blocks) + checksum_bytes;
  out.seekp(static_cast<std::streamoff>(offset));
  for_each_block(diagram, [&](std::span<const std::uint8_t> block) {
    put(directory, offset);
    put(directory, std::uint64_t{block.size()});
    put(directory, checksum(block.data(), block.size()));
    write(out, block);
    offset += block.size();
  });
  put(directory, checksum(directory.data(), directory.size()));
  out.seekp(0);
  write(out, directory);
  out.close();
  return static_cast<bool>(out);
}

// Hashes eight bytes at a time; the last ones are padded with zeros.
std::uint64_t mix_bytes(std::uint64_t hash, const std::uint8_t* data, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + i, std::min<std::size_t>(8, bytes - i));
    hash = mix(hash, word);
  }
  return hash;
}

}  // namespace

std::uint64_t checksum(const void* data, std::size_t bytes) {
  return finish_hash(mix_bytes(bytes, static_cast<const std::uint8_t*>(data), bytes));
}

base::Result<void> save(const Diagram& diagram, const std::filesystem::path& path) {
  std::filesystem::path beside = path;
  beside += ".part" + std::to_string(::getpid());
  errno = 0;
  if (write_file(diagram, beside) && ::rename(beside.c_str(), path.c_str()) == 0) return {};
  const int reason = errno != 0 ? errno : EIO;
  ::unlink(beside.c_str());
  return tl::unexpected(cannot_write(path, reason));
}

// The bytes of a file, mapped for reading.
class DiagramFile::Mapping {
 public:
  static std::shared_ptr<const Mapping> of(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // not for a FIFO
    if (file < 0) return nullptr;
    struct stat status {};
    void* data = MAP_FAILED;
    if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
      data = ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file,
                    0);
    }
    ::close(file);
    if (data == MAP_FAILED) return nullptr;
    return std::make_shared<const Mapping>(static_cast<const std::uint8_t*>(data),
                                           static_cast<std::size_t>(status.st_size));
  }

  Mapping(const std::uint8_t* begin, std::size_t length) : data(begin), size(length) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { ::munmap(const_cast<std::uint8_t*>(data), size); }

  // Frees the memory of pages that have been read.
  void release() const { ::madvise(const_cast<std::uint8_t*>(data), size, MADV_DONTNEED); }

  const std::uint8_t* const data;
  const std::size_t size;
};

base::Result<std::uint64_t> file_checksum(const std::filesystem::path& path) {
  const auto mapping = DiagramFile::Mapping::of(path);
  if (!mapping) {
    return base::fail(base::ErrorKind::unreadable_input, "cannot read '" + path.string() + "'");
  }
  constexpr std::size_t piece = std::size_t{1} << 22;  // bytes in memory at a time
  std::uint64_t hash = mapping->size;
  for (std::size_t at = 0; at < mapping->size; at += piece) {
    hash = mix_bytes(hash, mapping->data + at, std::min(piece, mapping->size - at));
    mapping->release();
  }
  return finish_hash(hash);
}

base::Error DiagramFile::damaged(const char* what) const {
  return {base::ErrorKind::unreadable_input,
          "the diagram file '" + path_.string() + "' is damaged: " + what};
}

base::Result<DiagramFile> DiagramFile::open(const std::filesystem::path& path) {
  DiagramFile file;
  file.path_ = path;
  file.mapping_ = Mapping::of(path);
  if (!file.mapping_) {
    return base::fail(base::ErrorKind::unreadable_input, "cannot read '" + path.string() + "'");
  }
  if (auto read = file.read_directory(); !read) return tl::unexpected(read.error());
  return file;
}

base::Result<DiagramFile> DiagramFile::open(const std::filesystem::path& path,
                                            const Domains& domains) {
  auto file = open(path);
  if (file && file->domains_ != domains) return tl::unexpected(file->damaged("other variables"));
  return file;
}

base::Result<void> DiagramFile::read_directory() {
  const auto fail = [&](const char* what) { return tl::unexpected(damaged(what)); };
  const std::uint8_t* const data = mapping_->data;
  const std::size_t size = mapping_->size;
  if (size < sizeof magic || std::memcmp(data, magic, sizeof magic) != 0) {
    return base::fail(base::ErrorKind::unreadable_input,
                      "'" + path_.string() + "' is not a diagram file");
  }
  if (size < header_bytes) return fail("truncated header");
  Reader reader(data + sizeof magic);
  if (const auto found = reader.take<std::uint32_t>(); found != version) {
    return base::fail(base::ErrorKind::unreadable_input,
                      "the diagram file '" + path_.string() + "' has version " +
                          std::to_string(found) + ", this program reads version " +
                          std::to_string(version));
  }
  constants_ = reader.take<std::uint32_t>();
  const auto variables = reader.take<std::uint32_t>();
  root_ = reader.take<std::uint32_t>();
  const auto blocks = reader.take<std::uint64_t>();
  if (variables > size || blocks > size) return fail("invalid header");
  const std::size_t directory = directory_bytes(variables, blocks);
  if (size - checksum_bytes < directory) return fail("truncated directory");
  directory_checksum_ = checksum(data, directory);
  if (Reader(data + directory).take<std::uint64_t>() != directory_checksum_) {
    return fail("wrong checksum of the directory");
  }
  if (const char* problem = read_levels(data + header_bytes, variables, blocks)) {
    return fail(problem);
  }
  const std::uint8_t* table = data + header_bytes + variables * level_bytes;
  if (const char* problem = read_blocks(table, directory + checksum_bytes, blocks)) {
    return fail(problem);
  }
  return {};
}

const char* DiagramFile::read_levels(const std::uint8_t* data, std::size_t variables,
                                     std::uint64_t blocks) {
  Reader reader(data);
  std::size_t first_block = 0;
  for (std::size_t l = 0; l < variables; ++l) {
    const Value domain = reader.take<std::uint32_t>();
    if (domain == 0) return "a variable has no values";
    const NodeId base = reader.take<std::uint32_t>();
    const auto rows = reader.take<std::uint64_t>();
    domains_.push_back(domain);
    levels_.push_back({base, rows, rows_per_block(domain), first_block});
    first_block += blocks_for(rows, rows_per_block(domain));
  }
  std::uint64_t next = constants_;
  for (std::size_t l = variables; l-- > 0;) {
    if (levels_[l].base != next) return "wrong numbers of nodes";
    next += levels_[l].rows;
  }
  return root_ < next && first_block == blocks ? nullptr : "wrong numbers of nodes";
}

const char* DiagramFile::read_blocks(const std::uint8_t* data, std::uint64_t offset,
                                     std::uint64_t blocks) {
  Reader reader(data);
  for (std::uint64_t b = 0; b < blocks; ++b) {
    Block block;
    block.offset = reader.take<std::uint64_t>();
    block.bytes = reader.take<std::uint64_t>();
    block.checksum = reader.take<std::uint64_t>();
    if (block.offset != offset || block.bytes > mapping_->size) {
      return "the blocks are not contiguous";
    }
    offset += block.bytes;
    blocks_.push_back(block);
  }
  if (offset == mapping_->size) return nullptr;
  return offset > mapping_->size ? "truncated file" : "extra bytes at the end";
}

base::Result<void> DiagramFile::read_block(std::size_t l, std::size_t index,
                                           std::vector<NodeId>& children) const {
  const Level& level = levels_[l];
  const Block& block = blocks_[level.first_block + index];
  const std::uint8_t* data = mapping_->data + block.offset;
  if (!is_whole(block)) return tl::unexpected(damaged("wrong checksum of a block"));
  const std::size_t first = index * level.rows_per_block;
  const std::size_t rows = std::min<std::size_t>(level.rows_per_block, level.rows - first);
  const std::size_t at = children.size(), count = rows * domains_[l];
  children.resize(at + count);
  const std::size_t size =
      ZSTD_decompressDCtx(decompressor(), &children[at], count * sizeof(NodeId), data, block.bytes);
  if (ZSTD_isError(size) || size != count * sizeof(NodeId)) {
    return tl::unexpected(damaged("a block cannot be decompressed"));
  }
  const bool all_below = std::all_of(children.begin() + static_cast<std::ptrdiff_t>(at),
                                     children.end(), [&](NodeId id) { return id < level.base; });
  if (!all_below) return tl::unexpected(damaged("a child is not below its node"));
  return {};
}

bool DiagramFile::is_whole(const Block& block) const {
  return checksum(mapping_->data + block.offset, block.bytes) == block.checksum;
}

std::size_t DiagramFile::nodes() const {
  std::size_t sum = 0;
  for (const Level& level : levels_) sum += level.rows;
  return sum;
}

base::Result<NodeId> DiagramFile::evaluate(std::span<const Value> assignment) {
  assert(assignment.size() == domains_.size());
  NodeId id = root_;
  recent_.resize(levels_.size());
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    if (id < levels_[l].base) continue;
    const std::size_t row = id - levels_[l].base, per_block = levels_[l].rows_per_block;
    RecentBlock& block = recent_[l];
    if (block.children.empty() || block.index != row / per_block) {
      block.index = row / per_block;
      block.children.clear();
      if (auto read = read_block(l, block.index, block.children); !read) {
        block.children.clear();
        return tl::unexpected(read.error());
      }
    }
    id = block.children[row % per_block * domains_[l] + assignment[l]];
  }
  return id;
}

base::Result<Diagram> DiagramFile::load(const Options& options) const {
  std::vector<Diagram::Level> levels(levels_.size());
  NodeArrayWriter writer(options);
  std::vector<NodeId> rows;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    levels[l].base = levels_[l].base;
    writer.expect(levels_[l].rows * domains_[l]);
    const std::size_t blocks = blocks_for(levels_[l].rows, levels_[l].rows_per_block);
    bool stored = true;
    for (std::size_t b = 0; b < blocks && stored; ++b) {
      if (const auto stop = exceeded(options.limits)) return tl::unexpected(error_of(*stop));
      rows.clear();
      if (auto read = read_block(l, b, rows); !read) return tl::unexpected(read.error());
      stored = writer.append(rows.data(), rows.size());
    }
    auto children = stored ? writer.finish() : std::nullopt;
    if (!children) return tl::unexpected(error_of(Stop::scratch_failure));
    levels[l].children = std::move(*children);
    if (!options.scratch_folder.empty()) mapping_->release();
  }
  return Diagram(domains_, constants_, std::move(levels), root_);
}

base::Result<Diagram> load(const std::filesystem::path& path, const Options& options) {
  const auto file = DiagramFile::open(path);
  if (!file) return tl::unexpected(file.error());
  return file->load(options);
}

base::Result<Diagram> load(const std::filesystem::path& path, const Domains& domains,
                           const Options& options) {
  const auto file = DiagramFile::open(path, domains);
  if (!file) return tl::unexpected(file.error());
  return file->load(options);
}

}  // namespace zermelo::dd
