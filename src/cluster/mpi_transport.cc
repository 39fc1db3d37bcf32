// The code that needs MPI is a library beside the program (mpi/mpi_library.cc), which is loaded
// here. So the program starts without the dozen of libraries of Open MPI, and runs on machines that
// do not have them.

#include "cluster/mpi_transport.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace zermelo::cluster {
namespace {

constexpr const char* library_name = "zermelo_mpi.so";
constexpr const char* how_to_get_it =
    "--cluster needs Open MPI; install it (apt-get install libopenmpi-dev openmpi-bin), then build "
    "again with a new build folder";

std::filesystem::path library_path() {
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? std::filesystem::path(library_name) : program.parent_path() / library_name;
}

}  // namespace

bool is_secondary_rank() {
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  return rank != nullptr && std::strcmp(rank, "0") != 0;
}

std::size_t ranks_here() {
  const char* ranks = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  return ranks == nullptr ? 1 : std::max<std::size_t>(std::strtoull(ranks, nullptr, 10), 1);
}

base::Result<std::unique_ptr<Transport>> join_mpi() {
  const std::filesystem::path path = library_path();
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) {
    return base::fail(base::ErrorKind::not_applicable, how_to_get_it);
  }
  // Components of Open MPI refer to its symbols, which must be visible to all.
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  using Join = Transport* (*)();
  const auto join =
      library == nullptr ? nullptr : reinterpret_cast<Join>(::dlsym(library, "zermelo_join_mpi"));
  if (join == nullptr) {
    return base::fail(base::ErrorKind::not_applicable,
                      fmt::format("{} ({})", how_to_get_it, ::dlerror()));
  }
  return std::unique_ptr<Transport>(join());
}

}  // namespace zermelo::cluster
