#include "analysis/scene/hints.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>
#include <vector>

namespace zermelo::analysis::scene {
namespace {

using gdl::Formula;
namespace keyword = gdl::keyword;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The letters of a variable, without "?" and what numbers it.
std::string plain(const std::string& variable) {
  std::string word;
  for (const char c : variable) {
    if (std::isalpha(static_cast<unsigned char>(c))) word += c;
  }
  return word;
}

bool ends_with_any(std::string_view word, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return word.ends_with(ending); });
}

// Variables and types of rows are called row, r, sr, y and the like.
bool sounds_like_row(const std::string& word) {
  return ends_with_any(word, {"row", "rank"}) ||
         is_one_of(word, {"r", "sr", "dr", "rows", "ycoord"});
}
bool sounds_like_column(const std::string& word) {
  return ends_with_any(word, {"col", "column", "file"}) ||
         is_one_of(word, {"c", "sc", "dc", "cols", "xcoord"});
}

// The occurrences of the variables of one clause.
class ClauseHints {
 public:
  ClauseHints(const gdl::SymbolTable& symbols, RuleHints& hints)
      : symbols_(symbols), hints_(hints) {}

  void read(const gdl::Clause& clause) {
    read_atom(clause.head);
    for (const Formula& formula : clause.body) read_formula(formula);
    is_legal_ = clause.head.name == keyword::legal;
    join();
  }

 private:
  void read_formula(const Formula& formula) {
    if (formula.kind == Formula::Kind::atom) read_atom(formula.atom);
    for (const Formula& child : formula.children) read_formula(child);
  }

  void read_atom(const gdl::Term& atom) {
    const bool is_fluent =
        is_keyword(atom, {keyword::init, keyword::true_, keyword::next, keyword::base});
    const bool is_move = is_keyword(atom, {keyword::does, keyword::legal, keyword::input});
    if (is_fluent && atom.arguments.size() == 1) return add(atom.arguments[0], fluents_);
    if (is_move && atom.arguments.size() == 2) {
      if (atom.name == keyword::legal) mover_ = variable(atom.arguments[0]);
      return add(atom.arguments[1], moves_);
    }
    if (atom.arguments.size() != 1) return;
    const std::string type = plain(symbols_.name(atom.name));
    if (sounds_like_row(type)) rows_.insert(variable(atom.arguments[0]));
    if (sounds_like_column(type)) columns_.insert(variable(atom.arguments[0]));
  }

  static bool is_keyword(const gdl::Term& atom, std::initializer_list<gdl::Symbol> names) {
    return std::find(names.begin(), names.end(), atom.name) != names.end();
  }

  std::string variable(const gdl::Term& term) const {
    return term.kind == gdl::Term::Kind::variable ? symbols_.name(term.name) : "";
  }

  struct Occurrence {
    ArgumentOf argument;
    std::string variable;
  };

  void add(const gdl::Term& term, std::vector<Occurrence>& occurrences) const {
    for (std::size_t i = 0; i < term.arguments.size(); ++i) {
      const std::string name = variable(term.arguments[i]);
      if (name.empty()) continue;
      occurrences.push_back({{symbols_.name(term.name), term.arguments.size(), i}, name});
    }
  }

  void join() {
    for (const Occurrence& fluent : fluents_) {
      RuleHints::Axis& axis = hints_.axes[fluent.argument];
      const std::string word = plain(fluent.variable);
      axis.row += sounds_like_row(word) + 3 * static_cast<int>(rows_.contains(fluent.variable));
      axis.column +=
          sounds_like_column(word) + 3 * static_cast<int>(columns_.contains(fluent.variable));
      if (is_legal_ && !mover_.empty() && fluent.variable == mover_)
        ++hints_.movers[fluent.argument];
      for (const Occurrence& move : moves_) {
        if (move.variable == fluent.variable) ++hints_.shared[{move.argument, fluent.argument}];
      }
    }
  }

  const gdl::SymbolTable& symbols_;
  RuleHints& hints_;
  std::vector<Occurrence> fluents_, moves_;
  std::set<std::string> rows_, columns_;
  std::string mover_;
  bool is_legal_ = false;
};

}  // namespace

RuleHints hints_of(const gdl::Rulesheet& rulesheet) {
  RuleHints hints;
  for (const gdl::Clause& clause : rulesheet.clauses) {
    ClauseHints(rulesheet.symbols, hints).read(clause);
  }
  return hints;
}

}  // namespace zermelo::analysis::scene
