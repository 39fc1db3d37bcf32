#include "app/planners/installation.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <system_error>
#include <thread>

#include "app/planners/child_process.h"

namespace zermelo::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* completed = "installed";  // this file is written last

base::Result<fs::path> cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache && fs::path(cache).is_absolute()) return fs::path(cache) / "zermelo" / "planners";
  const char* home = std::getenv("HOME");
  if (home && *home) return fs::path(home) / ".cache" / "zermelo" / "planners";
  return base::fail(base::ErrorKind::not_applicable,
                    "planners are installed below XDG_CACHE_HOME or HOME, and neither is set");
}

// lib/python3.N/site-packages, whatever N is.
std::optional<fs::path> site_packages(const fs::path& environment) {
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(environment / "lib", failed)) {
    if (fs::is_directory(entry.path() / "site-packages", failed))
      return entry.path() / "site-packages";
  }
  return std::nullopt;
}

std::optional<InstalledPlanner> find_installed(const fs::path& environment,
                                               const PlannerPackage& package) {
  if (!fs::exists(environment / completed)) return std::nullopt;
  const auto packages = site_packages(environment);
  if (!packages) return std::nullopt;
  const fs::path planner = *packages / package.folder;
  InstalledPlanner found{environment / "bin" / "python", planner / "fast-downward.py",
                         planner / "builds" / "release" / "bin" / "downward"};
  if (::access(found.search.c_str(), X_OK) != 0) return std::nullopt;
  return found;
}

class InstallationLock {
 public:
  // Waits for the lock, or until the stop is requested.
  InstallationLock(const fs::path& file, const std::stop_token& stop)
      : file_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    while (file_ >= 0 && ::flock(file_, LOCK_EX | LOCK_NB) != 0 && !stop.stop_requested())
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  ~InstallationLock() {
    if (file_ >= 0) ::close(file_);
  }
  InstallationLock(const InstallationLock&) = delete;
  InstallationLock& operator=(const InstallationLock&) = delete;

 private:
  int file_;
};

tl::unexpected<base::Error> cannot_install(const PlannerPackage& package,
                                           const std::string& reason) {
  return base::fail(
      base::ErrorKind::not_applicable,
      fmt::format("the planner {} cannot be installed: {} (it is the Python package {}, which pip "
                  "downloads on first use; --planner native needs no installation)",
                  package.planner, reason, package.package));
}

base::Result<void> run_step(const PlannerPackage& package, const ChildCommand& command,
                            const base::Limits& limits) {
  const auto end = run_child(command, limits);
  if (!end) return cannot_install(package, end.error().message);
  if (end->how == ChildEnd::How::stopped) {
    return base::fail(base::ErrorKind::time_limit,
                      fmt::format("cancelled while installing the planner {}", package.planner));
  }
  if (end->how != ChildEnd::How::exited || end->code != 0)
    return cannot_install(package, command.arguments[0] + " " + description(*end));
  return {};
}

base::Result<void> make_environment(const fs::path& environment, const PlannerPackage& package,
                                    const base::Limits& limits) {
  const fs::path folder = environment.parent_path();
  auto made = run_step(
      package, {{"python3", "-m", "venv", "--clear", environment.string()}, folder}, limits);
  if (!made) return made;
  const std::string python = (environment / "bin" / "python").string();
  made = run_step(package,
                  {{python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                    "--no-input", package.package},
                   folder},
                  limits);
  if (!made) return made;
  if (!(std::ofstream(environment / completed) << package.package << "\n"))
    return cannot_install(package, "cannot write to " + environment.string());
  return {};
}

}  // namespace

base::Result<InstalledPlanner> install(const PlannerPackage& package, const Context& context) {
  const auto folder = cache_folder();
  if (!folder) return tl::unexpected(folder.error());
  const fs::path environment = *folder / package.planner;
  if (auto found = find_installed(environment, package)) return *found;
  context.report(fmt::format("installing {}", package.planner));
  std::error_code failed;
  fs::create_directories(*folder, failed);
  if (failed) return cannot_install(package, folder->string() + ": " + failed.message());
  const InstallationLock lock(*folder / (package.planner + ".lock"), context.stop);
  if (auto found = find_installed(environment, package)) return *found;
  if (auto made = make_environment(environment, package, ResourceLimits{}.start_time(context));
      !made) {
    return tl::unexpected(made.error());
  }
  if (auto found = find_installed(environment, package)) return *found;
  return cannot_install(package, "the package does not have the expected files");
}

}  // namespace zermelo::app
