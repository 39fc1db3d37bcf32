// Planners of others that are installed on first use: Python packages, each in a virtual
// environment of its own below $XDG_CACHE_HOME/zermelo/planners.
#pragma once

#include <filesystem>
#include <string>

#include "app/context.h"
#include "base/result.h"

namespace zermelo::app {

struct PlannerPackage {
  std::string planner;  // as --planner names it
  std::string package;  // as pip names it, with its version
  std::string folder;   // of the planner below site-packages
};

struct InstalledPlanner {
  std::filesystem::path python;  // of the environment
  std::filesystem::path driver;  // takes PDDL
  std::filesystem::path search;  // the search component: takes SAS+
};

// Finds the planner, or installs it, which takes a network and some seconds. If two processes do so
// at the same time, the second waits. Fails with not_applicable and the reason if it cannot be
// installed, and with time_limit if it is cancelled.
base::Result<InstalledPlanner> install(const PlannerPackage& package, const Context& context);

}  // namespace zermelo::app
