// The structure that a GDL game becomes: elements, fluents, and stable relations.
//
// State terms with the same function symbol and number of arguments have the same mask. At its
// content positions (fluent paths of the paper) a mask has fluent predicates, one for each content;
// the values at the other positions, the keys, identify the element. A mask without content
// positions has an element for each state term and one fluent predicate, which says that the term
// is true. The mask of values has an element for each ground term; such elements stand for values
// that no state term carries, for example an argument of a move.
//
// Stable relations are conjunctions of the paper's relations over the same elements: equalities of
// keys (Eq), keys that are a constant (Anch), facts about keys, and the masks themselves. Joining
// them is the paper's simplification of relations that occur together.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/mutex_groups.h"
#include "ground/game.h"
#include "translate/toss/fluent_paths.h"
#include "translate/toss/static_facts.h"

namespace zermelo::translate::toss {

struct Mask {
  std::string functor;
  std::size_t arity = 0;
  bool is_value = false;
  std::vector<std::size_t> keys, contents;  // positions, ascending
  std::map<Values, std::size_t> elements;   // by key
  std::vector<Values> content_values;       // that occur, in order
  // Sets of positions whose values determine a true state term of this mask.
  std::vector<std::set<std::size_t>> determining;
  bool always_has_content = false;  // exactly one state term per element is true
};

// A column of a stable relation and a position of its mask.
struct KeyPlace {
  std::size_t column = 0, position = 0;
  auto operator<=>(const KeyPlace&) const = default;
};

struct StableRelation {
  std::vector<std::size_t> masks;  // by column
  std::set<std::pair<KeyPlace, KeyPlace>> equal;
  std::set<std::pair<KeyPlace, std::string>> constants;
  struct Fact {
    std::string text;  // canonical
    GdlBody body;
    std::vector<std::string> outputs;
    std::vector<KeyPlace> places;  // of the outputs
    bool operator<(const Fact& other) const {
      return std::tie(text, places) < std::tie(other.text, other.places);
    }
  };
  std::set<Fact> facts;
};

class ElementStructure {
 public:
  struct Options {
    std::size_t max_contents = 24;  // values of a mask's content positions
    std::size_t max_elements = 4000;
    std::size_t max_tuples = 1'000'000;
    base::Limits limits;
  };

  // Fails with not_applicable where there are too many elements.
  static base::Result<ElementStructure> make(const GdlClauses& rules, const ground::Game& game,
                                             const analysis::MutexGroups& groups,
                                             const StaticFacts& facts, const Options& options);

  const std::vector<Mask>& masks() const { return masks_; }
  std::size_t value_mask() const { return value_mask_; }
  // A mask for the n-th value that a rule matches, a copy of the mask of values: matches are
  // injective, but moves may have equal arguments.
  std::size_t argument_mask(std::size_t number);
  std::optional<std::size_t> mask_of(const GdlTerm& term) const;

  // The fluent predicate of a content; of the empty content for masks without content positions.
  std::string fluent(std::size_t mask, const Values& content) const;
  std::vector<std::string> fluents(std::size_t mask) const;
  // The name of a stable relation; it is part of the structure from then on.
  std::string stable(const StableRelation& relation);

  // Whether static literals hold for some values of their variables.
  bool holds(const GdlBody& body) const {
    return !facts_->answers(body, {}, options_.limits).empty();
  }

  // The elements' names and values by position ("" at content positions).
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<Values>& values() const { return values_; }
  // The element and fluent predicate of a true state term.
  struct Tuple {
    std::string fluent;
    std::size_t element;
  };
  std::optional<Tuple> tuple_of(const GdlTerm& fluent) const;

  // The structure in a state, as text between START and the end. Throws base::LimitReached, also
  // if the stable relations have too many tuples.
  std::string print(const std::set<GdlTerm>& state);
  std::size_t relations() const { return stable_names_.size() + fluent_count_; }

 private:
  std::size_t add_mask(Mask mask);
  std::size_t add_element(std::size_t mask, const Values& key, const std::string& name);
  std::vector<std::vector<std::size_t>> tuples_of(const StableRelation& relation);

  Options options_;
  const StaticFacts* facts_ = nullptr;
  std::vector<Mask> masks_;
  std::map<std::string, std::size_t> by_functor_;  // "f/2"
  std::size_t value_mask_ = 0;
  std::vector<std::size_t> argument_masks_;
  std::vector<std::string> names_;
  std::vector<Values> values_;
  std::set<std::string> used_names_, used_relations_;
  std::map<std::pair<std::size_t, Values>, std::string> fluent_names_;
  std::map<std::string, std::string> stable_names_;  // by canonical text
  std::vector<std::pair<std::string, StableRelation>> stable_;
  std::size_t fluent_count_ = 0;
};

}  // namespace zermelo::translate::toss
