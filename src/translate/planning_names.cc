#include "translate/planning_names.h"

#include <algorithm>
#include <cctype>

namespace zermelo::translate::pddl {

namespace {

bool is_legal(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 128 && (std::isalnum(byte) || c == '-' || c == '_');
}

char legal_character(char c) {
  return is_legal(c) ? static_cast<char>(std::tolower(static_cast<unsigned char>(c))) : '_';
}

}  // namespace

Names::Names()
    : given_{"and",    "or",     "not",     "imply",    "exists",   "forall",    "when",
             "either", "object", "number",  "assign",   "increase", "decrease",  "total-cost",
             "define", "domain", "problem", "minimize", "maximize", "total-time"} {}

std::string Names::unique(std::string_view wanted) {
  const std::string name = legal_name(wanted);
  if (given_.insert(name).second) return name;
  for (int number = 2;; ++number) {
    std::string numbered = name + "-" + std::to_string(number);
    if (given_.insert(numbered).second) return numbered;
  }
}

std::string legal_name(std::string_view text) {
  std::string name(text.size(), '_');
  std::transform(text.begin(), text.end(), name.begin(), legal_character);
  if (name.empty() || !std::isalpha(static_cast<unsigned char>(name[0]))) name.insert(0, "x");
  return name;
}

}  // namespace zermelo::translate::pddl
