#include "translate/toss/term_structure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "translate/toss/toss_names.h"

namespace zermelo::translate::toss {
namespace {

// Reads a ground term as `print` writes it.
class PrintedTerm {
 public:
  explicit PrintedTerm(const std::string& text) : text_(text) {}

  GdlTerm read() {
    while (text_[at_] == ' ') ++at_;
    if (text_[at_] != '(') return gdl_constant(word());
    ++at_;
    GdlTerm result = gdl_constant(word());
    while (text_[at_] != ')') {
      result.arguments.push_back(read());
      while (text_[at_] == ' ') ++at_;
    }
    ++at_;
    return result;
  }

 private:
  std::string word() {
    const std::size_t first = at_;
    while (at_ < text_.size() && text_[at_] != ' ' && text_[at_] != ')') ++at_;
    return text_.substr(first, at_ - first);
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

std::string spaced(const GdlTerm& term) {
  std::string result = term.name;
  for (const GdlTerm& argument : term.arguments) result += " " + spaced(argument);
  return result;
}

}  // namespace

TermStructure::TermStructure(const GdlClauses& rules, const ground::Game& game,
                             const StaticFacts& facts)
    : game_(game), facts_(facts), used_relations_({truth, rank}) {
  for (const gdl::Term& fluent : game.fluents) {
    fluents_.push_back(term(from_gdl(fluent, game.rulesheet->symbols)));
  }
  for (const auto& move : game.moves) {
    const GdlTerm made = from_gdl(move.term, game.rulesheet->symbols);
    for (const GdlTerm& argument : made.arguments) term(argument);
    const std::string name = rules.roles()[move.role] + " " + spaced(made);
    move_terms_.emplace_back(names_.size(), made);
    names_.push_back(unique_name(name, used_names_));
    moves_.push_back(toss::print(made));
  }
}

std::size_t TermStructure::term(const GdlTerm& ground_term) {
  const auto known = terms_.find(ground_term);
  if (known != terms_.end()) return known->second;
  for (const GdlTerm& argument : ground_term.arguments) term(argument);
  const std::size_t element = names_.size();
  terms_.emplace(ground_term, element);
  names_.push_back(unique_name(spaced(ground_term), used_names_));
  moves_.emplace_back();
  return element;
}

std::string TermStructure::unique_relation(const std::string& text) {
  return unique_name(text, used_relations_);
}

std::string TermStructure::relation(const std::string& key, const std::string& text,
                                    std::size_t arity) {
  const std::string name = unique_relation(text);
  relation_names_.emplace(key, name);
  relations_[name].arity = arity;
  return name;
}

// The tuples of functors are listed when the structure is printed, because terms may be added.
std::string TermStructure::functor(const std::string& name, std::size_t arity) {
  const auto [at, inserted] = functors_.try_emplace({name, arity});
  if (inserted) at->second = unique_relation(name);
  return at->second;
}

std::string TermStructure::move_functor(const std::string& name, std::size_t arity) {
  const std::string key = fmt::format("move {} {}", arity, name);
  const auto known = relation_names_.find(key);
  if (known != relation_names_.end()) return known->second;
  const std::string made = relation(key, "move " + name, arity + 1);
  for (const auto& [element, move] : move_terms_) {
    if (move.name != name || move.arguments.size() != arity) continue;
    std::vector<std::size_t> tuple = {element};
    for (const GdlTerm& argument : move.arguments) tuple.push_back(term(argument));
    relations_[made].tuples.push_back(std::move(tuple));
  }
  return made;
}

std::string TermStructure::term_of_move() {
  const auto known = relation_names_.find("term of move");
  if (known != relation_names_.end()) return known->second;
  const std::string made = relation("term of move", "term of move", 2);
  for (const auto& [element, move] : move_terms_) {
    relations_[made].tuples.push_back({element, term(move)});
  }
  return made;
}

std::string TermStructure::moves_of(std::size_t role) {
  const std::string key = fmt::format("moves of {}", role);
  const auto known = relation_names_.find(key);
  if (known != relation_names_.end()) return known->second;
  const std::string name = "moves " + game_.role_name(static_cast<std::uint32_t>(role));
  const std::string made = relation(key, name, 1);
  for (std::size_t move = 0; move < game_.moves.size(); ++move) {
    if (game_.moves[move].role == role) {
      relations_[made].tuples.push_back({move_terms_[move].first});
    }
  }
  return made;
}

std::string TermStructure::constant(const GdlTerm& ground_term) {
  const std::string text = toss::print(ground_term);
  const auto known = relation_names_.find("is " + text);
  if (known != relation_names_.end()) return known->second;
  const std::string made = relation("is " + text, "is " + spaced(ground_term), 1);
  relations_[made].tuples.push_back({term(ground_term)});
  return made;
}

std::string TermStructure::facts(const std::string& predicate, std::size_t arity) {
  const std::string key = fmt::format("fact {} {}", arity, predicate);
  const auto known = relation_names_.find(key);
  if (known != relation_names_.end()) return known->second;
  const std::string made = relation(key, predicate, arity);
  if (!facts_.knows(predicate)) return made;
  for (const Values& values : facts_.of(predicate)) {
    if (values.size() != arity) continue;
    std::vector<std::size_t> tuple;
    for (const std::string& value : values) tuple.push_back(term(PrintedTerm(value).read()));
    relations_[made].tuples.push_back(std::move(tuple));
  }
  return made;
}

std::size_t TermStructure::tuples() const {
  std::size_t result = terms_.size();
  for (const auto& [name, relation] : relations_) result += relation.tuples.size();
  return result;
}

std::string TermStructure::print(const std::vector<std::string>& empty_relations) const {
  std::map<std::string, Relation> all = relations_;
  for (const auto& [signature, name] : functors_) {
    Relation& relation = all[name];
    relation.arity = signature.second + 1;
    for (const auto& [made, element] : terms_) {
      if (made.name != signature.first || made.arguments.size() != signature.second) continue;
      std::vector<std::size_t> tuple = {element};
      for (const GdlTerm& argument : made.arguments) tuple.push_back(terms_.at(argument));
      relation.tuples.push_back(std::move(tuple));
    }
  }
  for (const std::string& name : empty_relations) all[name].arity = 1;
  Relation& holds = all[truth];
  holds.arity = 1;
  for (const ground::Atom fluent : game_.initial) holds.tuples.push_back({fluents_[fluent]});
  std::string text;
  for (const auto& [name, relation] : all) {
    if (!text.empty()) text += ";\n  ";
    if (relation.tuples.empty()) {
      text += fmt::format("{}:{} {{}}", name, relation.arity);
      continue;
    }
    std::vector<std::string> tuples;
    for (const auto& tuple : relation.tuples) {
      std::vector<std::string> names;
      for (const std::size_t element : tuple) names.push_back(names_[element]);
      tuples.push_back(fmt::format("({})", fmt::join(names, ", ")));
    }
    text += tuples.size() == 1 ? fmt::format("{} {}", name, tuples[0])
                               : fmt::format("{} {{{}}}", name, fmt::join(tuples, "; "));
  }
  std::vector<std::string> ranks;
  for (std::size_t e = 0; e < names_.size(); ++e)
    ranks.push_back(fmt::format("{}->{}", names_[e], e));
  return fmt::format("[{}\n  |\n  {}\n  | {} {{{}}}]", fmt::join(names_, ", "), text, rank,
                     fmt::join(ranks, ", "));
}

}  // namespace zermelo::translate::toss
