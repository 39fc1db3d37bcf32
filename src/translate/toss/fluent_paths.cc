#include "translate/toss/fluent_paths.h"

#include <algorithm>

namespace zermelo::translate::toss {
namespace {

void collect_differences(const GdlTerm& s, const GdlTerm& t, Path& path, std::set<Path>& result) {
  if (s == t) return;
  const bool alike = !s.is_variable && !t.is_variable && s.name == t.name &&
                     s.arguments.size() == t.arguments.size() && !s.arguments.empty();
  if (!alike) {
    result.insert(path);
    return;
  }
  for (std::size_t i = 0; i < s.arguments.size(); ++i) {
    path.emplace_back(s.name, i + 1);
    collect_differences(s.arguments[i], t.arguments[i], path, result);
    path.pop_back();
  }
}

void collect_leaves(const GdlTerm& term, Path& path, bool only_constants, std::set<Path>& result) {
  if (term.arguments.empty()) {
    if (!term.is_variable || !only_constants) result.insert(path);
    return;
  }
  for (std::size_t i = 0; i < term.arguments.size(); ++i) {
    path.emplace_back(term.name, i + 1);
    collect_leaves(term.arguments[i], path, only_constants, result);
    path.pop_back();
  }
}

std::set<Path> leaves(const GdlTerm& term, bool only_constants) {
  Path path;
  std::set<Path> result;
  collect_leaves(term, path, only_constants, result);
  return result;
}

std::size_t size_of(const GdlTerm& term) {
  std::size_t size = 1;
  for (const GdlTerm& argument : term.arguments) size += size_of(argument);
  return size;
}

void replace_at(GdlTerm& term, const Path& path, std::size_t depth, const GdlTerm& value) {
  if (depth == path.size()) {
    term = value;
    return;
  }
  const auto& [name, argument] = path[depth];
  if (term.is_variable || term.name != name || argument > term.arguments.size()) return;
  replace_at(term.arguments[argument - 1], path, depth + 1, value);
}

// The clause with its first positive `does` from `first` on replaced, and so on.
void expand_does(const GdlClause& clause, std::size_t first, const GdlClauses& rules,
                 std::size_t& number, std::vector<GdlClause>& result) {
  for (std::size_t i = first; i < clause.body.size(); ++i) {
    const GdlLiteral& literal = clause.body[i];
    if (literal.kind != GdlLiteral::Kind::does || literal.negated) continue;
    for (const GdlClause& legal : rules.of("legal")) {
      const GdlClause renamed = renamed_apart(legal, ++number);
      Substitution unifier;
      if (!unify(literal.term.arguments[0], renamed.head.arguments[0], unifier) ||
          !unify(literal.term.arguments[1], renamed.head.arguments[1], unifier)) {
        continue;
      }
      GdlClause inlined{clause.head, {}};
      inlined.body.assign(clause.body.begin(),
                          clause.body.begin() + static_cast<std::ptrdiff_t>(i));
      inlined.body.insert(inlined.body.end(), renamed.body.begin(), renamed.body.end());
      inlined.body.insert(inlined.body.end(),
                          clause.body.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                          clause.body.end());
      expand_does(substitute(inlined, unifier), i, rules, number, result);
    }
    return;
  }
  result.push_back(clause);
}

// Whether a path leads to a variable of the term, the term that the clause makes true.
bool leads_to_variable(const GdlTerm& term, const std::set<Path>& paths) {
  return std::any_of(paths.begin(), paths.end(), [&](const Path& path) {
    const GdlTerm* part = subterm(term, path);
    return part && !is_ground(*part);
  });
}

}  // namespace

std::string print(const Path& path) {
  if (path.empty()) return "()";
  std::string text;
  for (const auto& [name, argument] : path) {
    text += "(" + name + "," + std::to_string(argument) + ")";
  }
  return text;
}

const GdlTerm* subterm(const GdlTerm& term, const Path& path) {
  const GdlTerm* part = &term;
  for (const auto& [name, argument] : path) {
    if (part->is_variable || part->name != name || argument > part->arguments.size())
      return nullptr;
    part = &part->arguments[argument - 1];
  }
  return part;
}

GdlTerm with_replaced(GdlTerm term, const std::set<Path>& paths, const GdlTerm& value) {
  for (const Path& path : paths) replace_at(term, path, 0, value);
  return term;
}

std::set<Path> differing_paths(const GdlTerm& s, const GdlTerm& t) {
  Path path;
  std::set<Path> result;
  collect_differences(s, t, path, result);
  return result;
}

std::size_t common_size(const GdlTerm& t, const std::set<Path>& paths) {
  std::size_t replaced = 0;
  for (const Path& path : paths) {
    if (const GdlTerm* part = subterm(t, path)) replaced += size_of(*part);
  }
  return size_of(t) - replaced;
}

std::vector<GdlClause> expanded_next_clauses(const GdlClauses& rules) {
  std::vector<GdlClause> result;
  std::size_t number = 0;
  for (const GdlClause& clause : rules.of("next")) expand_does(clause, 0, rules, number, result);
  return result;
}

std::optional<SimilarTerms> similar_terms(const GdlClause& clause) {
  const GdlTerm& head = clause.head.arguments[0];
  std::optional<SimilarTerms> best;
  std::size_t best_size = 0, best_paths = 0;
  for (const GdlLiteral& literal : clause.body) {
    if (literal.kind != GdlLiteral::Kind::truth || literal.term.is_variable ||
        literal.term.name != head.name || literal.term.arguments.size() != head.arguments.size()) {
      continue;
    }
    const std::set<Path> paths = differing_paths(head, literal.term);
    const std::size_t size = common_size(literal.term, paths);
    if (best && (size < best_size || (size == best_size && paths.size() >= best_paths))) continue;
    best = {head, literal.term, literal.negated};
    best_size = size;
    best_paths = paths.size();
  }
  return best;
}

std::set<Path> fluent_paths(const std::vector<GdlClause>& next_clauses, bool guess_frames) {
  std::set<Path> result;
  for (const GdlClause& clause : next_clauses) {
    const auto terms = similar_terms(clause);
    if (!terms) continue;
    const std::set<Path> paths = differing_paths(terms->head, terms->body);
    if (guess_frames && leads_to_variable(terms->head, paths)) continue;
    result.insert(paths.begin(), paths.end());
    if (!terms->is_negative) continue;
    const std::set<Path> constants = leaves(terms->body, true);
    result.insert(constants.begin(), constants.end());
  }
  return result;
}

std::set<Path> mask_paths(const std::set<GdlTerm>& state_terms,
                          const std::set<Path>& fluent_paths) {
  std::set<Path> result;
  for (const GdlTerm& term : state_terms) {
    for (const Path& path : leaves(term, false)) {
      if (!path.empty() && fluent_paths.count(path) == 0) result.insert(path);
    }
  }
  return result;
}

std::set<GdlTerm> element_masks(const std::set<GdlTerm>& state_terms,
                                const std::set<Path>& fluent_paths) {
  std::set<GdlTerm> result;
  for (const GdlTerm& term : state_terms) {
    result.insert(with_replaced(term, fluent_paths, gdl_constant("BLANK")));
  }
  return result;
}

}  // namespace zermelo::translate::toss
