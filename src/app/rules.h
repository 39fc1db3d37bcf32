// Rules as a user gives them: read, checked, printed and generated.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error_name.h"
#include "base/limits.h"
#include "base/result.h"
#include "gdl/printer.h"
#include "gdl/read_rules.h"
#include "know/knowledge.h"

namespace zermelo::app {

using Rules = std::shared_ptr<const gdl::Rulesheet>;

// A file and what was found in it, or why it could not be read.
struct CheckedFile {
  std::string path;
  base::Result<gdl::CheckedRules> rules;
  // What the players know (app/know.h), if it was asked for and the rules are valid.
  std::optional<base::Result<know::KnowledgeProperties>> knowledge = {};
};

// Reads and checks a file; the path "-" is standard input. Also fails at a limit.
CheckedFile check_file(const std::string& path, const base::Limits& limits = {});

// Reads the rules in a file. Fails with unreadable_input, or with invalid_rules and the location of
// the first error, or at a limit.
base::Result<Rules> read_rules(const std::string& path, const base::Limits& limits = {});

struct PrintRequest {
  Rules rules;
  gdl::Syntax syntax = gdl::Syntax::prefix;
};

// Returns the rules in canonical layout.
std::string print_rules(const PrintRequest& request);

struct GenerateRequest {
  std::string family;
  std::vector<std::string> sizes = {};
};

// Returns the rules of a scalable game in the given size. Fails with invalid_request if the family
// is unknown or the sizes are not valid; the message says what is expected.
base::Result<std::string> generate(const GenerateRequest& request);

}  // namespace zermelo::app
