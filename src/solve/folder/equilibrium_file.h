// The equilibria of a layer in a solution folder, as bytes. docs/reference/formats.md specifies
// them.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "solve/common/equilibrium.h"

namespace zermelo::solve {

// One equilibrium. Different ones have different bytes.
std::string bytes_of(const Equilibrium& equilibrium);

// A whole file.
std::string bytes_of(const std::vector<Equilibrium>& equilibria, std::size_t roles);

// Fails with unreadable_input if the bytes are not such a file for this number of roles: every
// number must be in its range, every bound finite and every probability positive.
base::Result<std::vector<Equilibrium>> equilibria_of(const std::string& bytes, std::size_t roles);

}  // namespace zermelo::solve
