// Common parts of folders of stored diagrams: files that are complete or absent, a single writer,
// and no remains of interrupted runs.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "dd/diagram.h"

namespace zermelo::dd {

// A lock held by one writer at a time. The system releases it when a process ends in any way.
class FolderLock {
 public:
  // Fails with not_applicable if this or another process holds the lock. Succeeds without a lock if
  // the folder does not exist or its file system has no locks.
  static base::Result<std::shared_ptr<const FolderLock>> take(const std::filesystem::path& folder);

  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

// Returns the error for a folder that is locked by another writer.
base::Error written_by_another(const std::filesystem::path& folder);

base::Result<void> make_folder(const std::filesystem::path& folder);

// Returns false also if the path cannot be examined; reading it then reports why.
bool is_there(const std::filesystem::path& path);

// Flushes a file or folder to disk.
base::Result<void> sync(const std::filesystem::path& path);

enum class Durability { synced, cached };

// Replaces the file by the text atomically.
base::Result<void> write_text(const std::filesystem::path& path, const std::string& text,
                              Durability durability = Durability::synced);
base::Result<std::string> read_text(const std::filesystem::path& path);

// Like save, for a folder that the same command can resume; the error message says so.
base::Result<void> save_layer(const Diagram& diagram, const std::filesystem::path& path);

// Returns whether the name is one of the file names of a kind of folder.
using IsOurs = std::function<bool(std::string_view name)>;

// Returns whether the file is left incomplete by an interrupted run: one of ours with the suffix
// ".part".
bool is_part(const std::filesystem::path& path, const IsOurs& is_ours);
// Requires that the caller holds the lock.
void remove_parts(const std::filesystem::path& folder, const IsOurs& is_ours);
// Returns whether the folder holds files that are neither allowed nor half written files of ours.
bool holds_others(const std::filesystem::path& folder, const IsOurs& is_allowed,
                  const IsOurs& is_ours);
// Removes the files with these names. Requires that the caller holds the lock.
void remove_files(const std::filesystem::path& folder, const IsOurs& is_ours);

}  // namespace zermelo::dd
