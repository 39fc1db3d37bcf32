// What folders of stored diagrams have in common: files that are whole or not there, one writer at
// a time, and nothing left of runs that were interrupted.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "dd/diagram.h"

namespace zermelo::dd {

// Held by one writer at a time. The system gives it back when a process ends, however it ends.
class FolderLock {
 public:
  // Fails with not_applicable while somebody else holds it, in this process or another. A folder
  // that is not there, or whose file system knows no locks, is nobody's.
  static base::Result<std::shared_ptr<const FolderLock>> take(const std::filesystem::path& folder);

  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

// The error of a folder that somebody else writes to.
base::Error written_by_another(const std::filesystem::path& folder);

base::Result<void> make_folder(const std::filesystem::path& folder);

// What cannot be asked for is not there; reading it tells why.
bool is_there(const std::filesystem::path& path);

// Brings a file or folder to the disk.
base::Result<void> sync(const std::filesystem::path& path);

enum class Durability { synced, cached };

// Puts the text in the place of the file, whole or not at all.
base::Result<void> write_text(const std::filesystem::path& path, const std::string& text,
                              Durability durability = Durability::synced);
base::Result<std::string> read_text(const std::filesystem::path& path);

// As save, for a folder that the same command takes up again; says so where it fails.
base::Result<void> save_layer(const Diagram& diagram, const std::filesystem::path& path);

// Whether it is one of the file names that a kind of folder has.
using IsOurs = std::function<bool(std::string_view name)>;

// Whether an interrupted run left the file half written: one of ours with ".part" behind its name.
bool is_part(const std::filesystem::path& path, const IsOurs& is_ours);
// Only for the holder of the lock.
void remove_parts(const std::filesystem::path& folder, const IsOurs& is_ours);
// Whether the folder holds files that are neither allowed nor half written files of ours.
bool holds_others(const std::filesystem::path& folder, const IsOurs& is_allowed,
                  const IsOurs& is_ours);
// Removes the files with these names. Only for the holder of the lock.
void remove_files(const std::filesystem::path& folder, const IsOurs& is_ours);

}  // namespace zermelo::dd
