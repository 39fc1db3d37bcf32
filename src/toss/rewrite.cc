// Definition 2 replaces the matched elements by those of the right side. Here an element of the
// right side that takes the place of a left one keeps its number, so that most moves leave the
// universe alone; a second one of the same origin, a copy, gets a new number. A tuple survives as
// all tuples that replace its elements position by position, unless its relation is embedded and
// all its elements were matched.
#include "toss/rewrite.h"

#include <algorithm>
#include <map>

namespace zermelo::toss {
namespace {

std::vector<std::string> names_of(const std::vector<std::string>& names, Tuple tuple) {
  std::vector<std::string> result;
  for (const Element element : tuple) result.push_back(names[element]);
  return result;
}

// Calls visit with every tuple over {0, ..., elements - 1}.
template <class Visit>
void for_each_tuple(std::size_t elements, std::size_t arity, Visit visit) {
  std::vector<Element> tuple(arity);
  if (arity > 0 && elements == 0) return;
  for (;;) {
    visit(tuple);
    std::size_t at = arity;
    while (at > 0 && ++tuple[at - 1] == elements) tuple[--at] = 0;
    if (at == 0) return;
  }
}

class Rewriting {
 public:
  Rewriting(const Structure& structure, std::span<const Application> applications, const Game& game,
            const ElementNames& names)
      : old_(structure), applications_(applications), game_(game), names_(names) {}

  Rewritten run() {
    result_.structure = old_;
    used_ = old_.universe();
    for (const Application& application : applications_) place_right(application);
    if (changes_elements()) rewrite_universe();
    for (std::size_t r = 0; r < game_.signature.relations.size(); ++r) {
      if (changes_relation(r)) rewrite_relation(r);
    }
    for (std::size_t f = 0; f < game_.signature.functions.size(); ++f) rewrite_function(f);
    return std::move(result_);
  }

 private:
  // Which elements the right side's become.
  void place_right(const Application& application) {
    const Rule& rule = *application.rule;
    std::vector<bool> kept(rule.left.names.size());
    std::vector<Element> right;
    for (std::size_t i = 0; i < rule.origin.size(); ++i) {
      const std::optional<Element> origin = rule.origin[i];
      if (origin && !kept[*origin]) {
        kept[*origin] = true;
        right.push_back(application.match[*origin]);
        continue;
      }
      right.push_back(create(rule.right.names[i]));
      if (origin) copies_[application.match[*origin]].push_back(right.back());
    }
    for (std::size_t l = 0; l < kept.size(); ++l) {
      if (!kept[l]) removed_.push_back(application.match[l]);
    }
    result_.right.push_back(std::move(right));
  }

  Element create(const std::string& name) {
    const Element element = names_.create(name, used_);
    used_.insert(std::upper_bound(used_.begin(), used_.end(), element), element);
    return element;
  }

  bool changes_elements() const {
    return !removed_.empty() || used_.size() > old_.universe().size();
  }
  bool is_removed(Element element) const {
    return std::find(removed_.begin(), removed_.end(), element) != removed_.end();
  }

  void rewrite_universe() {
    std::vector<Element> universe = used_;
    std::erase_if(universe, [&](Element element) { return is_removed(element); });
    result_.structure.set_universe(std::move(universe));
  }

  bool changes_relation(std::size_t relation) const {
    if (!removed_.empty() || !copies_.empty()) return true;
    return std::any_of(applications_.begin(), applications_.end(), [&](const Application& a) {
      return a.rule->embeds(relation) || !a.rule->right.structure.relation(relation).empty();
    });
  }

  static bool all_matched(const Application& application, Tuple tuple) {
    return std::all_of(tuple.begin(), tuple.end(), [&](Element element) {
      const Match& match = application.match;
      return std::find(match.begin(), match.end(), element) != match.end();
    });
  }

  bool is_replaced(std::size_t relation, Tuple tuple) const {
    return std::any_of(applications_.begin(), applications_.end(), [&](const Application& a) {
      return a.rule->embeds(relation) && all_matched(a, tuple);
    });
  }

  void rewrite_relation(std::size_t relation) {
    const TupleSet& old = old_.relation(relation);
    const std::size_t width = old.width();
    if (width == 0) return rewrite_flag(relation);
    std::vector<Element> elements;
    for (std::size_t i = 0; i < old.size(); ++i) {
      if (!is_replaced(relation, old[i])) add_survivors(old[i], elements);
    }
    for (std::size_t a = 0; a < applications_.size(); ++a) {
      const TupleSet& added = applications_[a].rule->right.structure.relation(relation);
      for (std::size_t i = 0; i < added.size(); ++i) add_right(added[i], a, elements);
    }
    result_.structure.set_relation(relation, TupleSet(width, std::move(elements)));
  }

  void rewrite_flag(std::size_t relation) {
    bool holds = !old_.relation(relation).empty() && !is_replaced(relation, {});
    for (const Application& application : applications_) {
      holds = holds || !application.rule->right.structure.relation(relation).empty();
    }
    result_.structure.set_relation(relation, holds ? TupleSet::unit() : TupleSet(0));
  }

  // What replaces an element: itself unless it is removed, and its copies.
  std::vector<Element> replacements(Element element) const {
    std::vector<Element> result;
    if (!is_removed(element)) result.push_back(element);
    const auto copies = copies_.find(element);
    if (copies != copies_.end()) {
      result.insert(result.end(), copies->second.begin(), copies->second.end());
    }
    return result;
  }

  void add_survivors(Tuple tuple, std::vector<Element>& elements) const {
    if (removed_.empty() && copies_.empty()) {
      elements.insert(elements.end(), tuple.begin(), tuple.end());
      return;
    }
    std::vector<std::vector<Element>> partial = {{}};
    for (const Element element : tuple) {
      std::vector<std::vector<Element>> longer;
      for (const std::vector<Element>& head : partial) {
        for (const Element replacement : replacements(element)) {
          longer.push_back(head);
          longer.back().push_back(replacement);
        }
      }
      partial = std::move(longer);
    }
    for (const std::vector<Element>& survivor : partial) {
      elements.insert(elements.end(), survivor.begin(), survivor.end());
    }
  }

  void add_right(Tuple tuple, std::size_t application, std::vector<Element>& elements) const {
    std::vector<Element> placed;
    for (const Element element : tuple) {
      placed.push_back(result_.right[application][element]);
      if (is_removed(placed.back())) return;
    }
    elements.insert(elements.end(), placed.begin(), placed.end());
  }

  // Copies have the value of their origin; the right side sets values.
  void rewrite_function(std::size_t function) {
    for (const auto& [origin, copies] : copies_) {
      for (const Element copy : copies) {
        result_.structure.set_value(function, copy, old_.value(function, origin));
      }
    }
    for (const Element element : removed_) result_.structure.set_value(function, element, 0);
    for (std::size_t a = 0; a < applications_.size(); ++a) {
      for (const auto& [element, value] :
           applications_[a].rule->right.structure.function(function)) {
        const Element placed = result_.right[a][element];
        if (!is_removed(placed)) result_.structure.set_value(function, placed, value);
      }
    }
  }

  const Structure& old_;
  std::span<const Application> applications_;
  const Game& game_;
  const ElementNames& names_;
  Rewritten result_;
  std::vector<Element> used_;  // old and new, ascending
  std::vector<Element> removed_;
  std::map<Element, std::vector<Element>> copies_;
};

}  // namespace

ElementNames::ElementNames(const Game& game) : start_(game.start.names) {
  for (const Rule& rule : game.rules) {
    created_.insert(created_.end(), rule.right.names.begin(), rule.right.names.end());
  }
  std::sort(created_.begin(), created_.end());
  created_.erase(std::unique(created_.begin(), created_.end()), created_.end());
  for (const std::string& name : created_) {
    std::string stem = name + "_";
    const auto taken = [&](const std::string& element) { return element.starts_with(stem); };
    const auto reused = [&](const std::string& other) {
      return other != name && other.starts_with(stem);
    };
    while (std::any_of(start_.begin(), start_.end(), taken) ||
           std::any_of(created_.begin(), created_.end(), reused)) {
      stem += "_";
    }
    stems_.push_back(std::move(stem));
  }
}

std::string ElementNames::name(Element element) const {
  if (element < start_.size()) return start_[element];
  const std::size_t number = element - start_.size();
  return stems_[number % stems_.size()] + std::to_string(number / stems_.size() + 1);
}

Element ElementNames::create(const std::string& name, const std::vector<Element>& used) const {
  const auto place = std::lower_bound(created_.begin(), created_.end(), name) - created_.begin();
  std::size_t element = start_.size() + static_cast<std::size_t>(place);
  while (std::binary_search(used.begin(), used.end(), static_cast<Element>(element))) {
    element += stems_.size();
  }
  return static_cast<Element>(element);
}

std::vector<FormulaPtr> left_literals(const Rule& rule, const Signature& signature) {
  std::vector<FormulaPtr> result = rule.left_defined;
  for (std::size_t r = 0; r < signature.relations.size(); ++r) {
    const auto& [name, arity] = signature.relations[r];
    const TupleSet& tuples = rule.left.structure.relation(r);
    for (std::size_t i = 0; i < tuples.size(); ++i) {
      result.push_back(atom(name, names_of(rule.left.names, tuples[i])));
    }
    if (!rule.embeds(r)) continue;
    for_each_tuple(rule.left.names.size(), arity, [&](const std::vector<Element>& tuple) {
      if (tuples.contains(tuple)) return;
      result.push_back(
          negation(atom(signature.relations[r].name, names_of(rule.left.names, tuple))));
    });
  }
  return result;
}

FormulaPtr match_condition(const Rule& rule, const Signature& signature) {
  std::vector<FormulaPtr> parts = left_literals(rule, signature);
  for (std::size_t i = 0; i < rule.left.names.size(); ++i) {
    for (std::size_t j = i + 1; j < rule.left.names.size(); ++j) {
      parts.push_back(negation(equal(rule.left.names[i], rule.left.names[j])));
    }
  }
  if (rule.pre) parts.push_back(rule.pre);
  return conjunction(std::move(parts));
}

Rewritten rewrite(const Structure& structure, std::span<const Application> applications,
                  const Game& game, const ElementNames& names) {
  return Rewriting(structure, applications, game, names).run();
}

}  // namespace zermelo::toss
