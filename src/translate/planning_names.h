// Names that PDDL accepts, each given once. PDDL names start with a letter, followed by letters,
// digits, hyphens and underscores, and do not distinguish case; GDL allows nearly any character.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace zermelo::translate::pddl {

class Names {
 public:
  // The words of PDDL are never given.
  Names();

  // The wanted name made legal, with a number behind it if it was given before.
  std::string unique(std::string_view wanted);

 private:
  std::unordered_set<std::string> given_;
};

// The text in small letters, every character that PDDL forbids replaced by an underscore, and a
// letter in front if there is none.
std::string legal_name(std::string_view text);

}  // namespace zermelo::translate::pddl
