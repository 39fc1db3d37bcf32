// What players know, as lines of `info` and `check --knowledge`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "know/knowledge.h"

namespace zermelo::cli {

// Names and values for name_value_lines.
std::vector<std::pair<std::string, std::string>> knowledge_lines(
    const know::KnowledgeProperties& found);

// "1. (mark 1 1), noop 2. ...", one number per step.
std::string line_text(const know::Line& line);

}  // namespace zermelo::cli
