#include "toss/resolve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "toss/check_formula.h"
#include "toss/signature_builder.h"

namespace zermelo::toss {
namespace {

constexpr double max_embedding_literals = 100'000;

template <class Words>
Names names_of(const Words& words) {
  return Names(words.begin(), words.end());
}

class GameResolver {
 public:
  explicit GameResolver(const syntax::Game& game) : input_(game) {}

  Resolved run() {
    resolve_players();
    game_.signature = SignatureBuilder(input_, diagnostics_).build();
    collect_names();
    resolve_states();
    resolve_definitions();
    for (const syntax::Rule& rule : input_.rules) resolve_rule(rule);
    resolve_locations();
    return {std::move(game_), std::move(diagnostics_)};
  }

 private:
  void report(const char* code, base::Span span, std::string message,
              base::Severity severity = base::Severity::error) {
    diagnostics_.push_back({severity, code, span, std::move(message)});
  }

  // Reports a name that a set has already; then returns false.
  bool declare(Names& names, const syntax::Word& name, const char* what) {
    if (names.insert(name.text).second) return true;
    report("repeated-name", name.span, fmt::format("there is already {} '{}'", what, name.text));
    return false;
  }

  void resolve_players() {
    Names seen;
    for (const syntax::Word& player : input_.players) {
      if (declare(seen, player, "a player")) game_.players.push_back(player.text);
    }
    if (input_.players.empty()) {
      report("missing-part", input_.end, "the game has no PLAYERS");
    }
  }

  void collect_names() {
    for (std::size_t r = 0; r < game_.signature.relations.size(); ++r) {
      const RelationSymbol& symbol = game_.signature.relations[r];
      known_.relations[symbol.name] = symbol.arity;
      relation_numbers_[symbol.name] = r;
    }
    known_.functions = names_of(game_.signature.functions);
  }

  void resolve_states() {
    if (!input_.start && !input_.model) {
      report("missing-part", input_.end, "the game has no START and no MODEL");
      return;
    }
    game_.start = resolve_structure(input_.start ? *input_.start : *input_.model, nullptr);
    if (input_.start && input_.model) game_.model = resolve_structure(*input_.model, nullptr);
  }

  // The elements of a structure: those listed, or, where none is, those that relations name.
  std::vector<std::string> element_names(const syntax::Structure& structure) {
    Names seen;
    std::vector<std::string> result;
    for (const syntax::Word& element : structure.elements) {
      if (declare(seen, element, "an element")) result.push_back(element.text);
    }
    if (!structure.elements.empty()) return result;
    for (const syntax::Relation& relation : structure.relations) {
      for (const syntax::Tuple& tuple : relation.tuples) {
        for (const syntax::Word& element : tuple.elements) {
          if (seen.insert(element.text).second) result.push_back(element.text);
        }
      }
    }
    return result;
  }

  using Numbers = std::map<std::string, Element>;

  Element element_number(const Numbers& numbers, const syntax::Word& element) {
    const auto found = numbers.find(element.text);
    if (found != numbers.end()) return found->second;
    report("unknown-element", element.span,
           fmt::format("'{}' is not among the elements of this structure", element.text));
    return 0;
  }

  // Atoms of defined relations go to `defined`, where there is one.
  NamedStructure resolve_structure(const syntax::Structure& input,
                                   std::vector<FormulaPtr>* defined) {
    NamedStructure result{element_names(input), Structure(game_.signature)};
    Numbers numbers;
    std::vector<Element> universe;
    for (const std::string& name : result.names) {
      universe.push_back(static_cast<Element>(numbers.size()));
      numbers[name] = universe.back();
    }
    result.structure.set_universe(std::move(universe));
    std::map<std::size_t, std::vector<Element>> tuples;
    for (const syntax::Relation& relation : input.relations) {
      add_tuples(relation, numbers, result.structure, tuples, defined);
    }
    for (auto& [relation, elements] : tuples) {
      const std::size_t arity = game_.signature.relations[relation].arity;
      if (elements.size() % arity != 0) continue;  // reported as an arity
      result.structure.set_relation(relation, TupleSet(arity, std::move(elements)));
    }
    for (const syntax::Function& function : input.functions) {
      add_values(function, numbers, result.structure);
    }
    return result;
  }

  void add_tuples(const syntax::Relation& relation, const Numbers& numbers, Structure& structure,
                  std::map<std::size_t, std::vector<Element>>& tuples,
                  std::vector<FormulaPtr>* defined) {
    const auto number = relation_numbers_.find(relation.name.text);
    for (const syntax::Tuple& tuple : relation.tuples) {
      std::vector<std::string> names;
      std::vector<Element> elements;
      for (const syntax::Word& element : tuple.elements) {
        names.push_back(element.text);
        elements.push_back(element_number(numbers, element));
      }
      if (number == relation_numbers_.end()) {
        if (defined) defined->push_back(atom(relation.name.text, std::move(names)));
      } else if (game_.signature.relations[number->second].arity == 0) {
        structure.set_relation(number->second, TupleSet::unit());
      } else {
        std::vector<Element>& all = tuples[number->second];
        all.insert(all.end(), elements.begin(), elements.end());
      }
    }
  }

  void add_values(const syntax::Function& function, const Numbers& numbers, Structure& structure) {
    const auto found = std::find(game_.signature.functions.begin(), game_.signature.functions.end(),
                                 function.name.text);
    const auto symbol = static_cast<std::size_t>(found - game_.signature.functions.begin());
    std::map<Element, double> values;
    for (const auto& [element, value] : function.values) {
      values[element_number(numbers, element)] = value;
    }
    Function result(structure.function(symbol));
    result.erase(std::remove_if(result.begin(), result.end(),
                                [&](const auto& pair) { return values.count(pair.first) > 0; }),
                 result.end());
    for (const auto& [element, value] : values) {
      if (value != 0) result.emplace_back(element, value);
    }
    std::sort(result.begin(), result.end());
    structure.set_function(symbol, std::move(result));
  }

  // Definitions are put in an order in which each uses earlier ones only.
  void resolve_definitions() {
    std::map<std::string, const syntax::Definition*> by_name;
    Names seen;
    for (const syntax::Definition& definition : input_.definitions) {
      if (!declare(seen, definition.name, "a definition of")) continue;
      by_name[definition.name.text] = &definition;
      known_.relations[definition.name.text] = definition.parameters.size();
    }
    std::map<std::string, int> visits;
    for (const syntax::Definition& definition : input_.definitions) {
      order_definition(definition, by_name, visits);
    }
    for (const auto& [name, definition] : by_name) check_definition(*definition);
  }

  void order_definition(const syntax::Definition& definition,
                        const std::map<std::string, const syntax::Definition*>& by_name,
                        std::map<std::string, int>& visits) {
    constexpr int open = 1, done = 2;
    constexpr std::size_t max_chain = 1000;
    int& visit = visits[definition.name.text];
    if (visit == done) return;
    if (visit == open || definition_depth_ > max_chain) {
      report("recursive-definition", definition.name.span,
             fmt::format("'{}' is defined by itself or by too long a chain of definitions; write "
                         "a fixed point with lfp or gfp",
                         definition.name.text));
      visit = done;
      return;
    }
    visit = open;
    ++definition_depth_;
    for (const std::string& used : relations_in(*definition.body)) {
      const auto found = by_name.find(used);
      if (found != by_name.end()) order_definition(*found->second, by_name, visits);
    }
    --definition_depth_;
    if (visit == done) return;
    visit = done;
    game_.definitions.push_back(
        {definition.name.text, texts(definition.parameters), definition.body});
  }

  static std::vector<std::string> texts(const std::vector<syntax::Word>& words) {
    std::vector<std::string> result;
    for (const syntax::Word& word : words) result.push_back(word.text);
    return result;
  }

  void check_definition(const syntax::Definition& definition) {
    Names parameters;
    for (const syntax::Word& parameter : definition.parameters) {
      declare(parameters, parameter, "a parameter");
    }
    check_formula(*definition.body, known_, parameters, "a definition uses its parameters only",
                  diagnostics_);
  }

  void resolve_rule(const syntax::Rule& input) {
    if (!declare(rule_names_, input.name, "a rule")) return;
    Rule rule;
    rule.name = input.name.text;
    rule.left = resolve_structure(input.left, &rule.left_defined);
    rule.right = resolve_structure(input.right, nullptr);
    rule.origin = resolve_correspondence(input, rule);
    rule.embedded = resolve_embedded(input, rule);
    rule.pre = input.pre;
    rule.post = input.post;
    if (rule.pre)
      check_formula(*rule.pre, known_, names_of(rule.left.names),
                    "pre may name elements of the left side", diagnostics_);
    if (rule.post)
      check_formula(*rule.post, known_, names_of(rule.right.names),
                    "post may name elements of the right side", diagnostics_);
    for (const syntax::Function& function : input.left.functions) {
      report("left-function", function.name.span,
             "values of functions on the left side of a rule are not matched",
             base::Severity::warning);
    }
    game_.rules.push_back(std::move(rule));
  }

  static std::optional<Element> find_name(const std::vector<std::string>& names,
                                          const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<Element>(found - names.begin());
  }

  std::vector<std::optional<Element>> resolve_correspondence(const syntax::Rule& input,
                                                             const Rule& rule) {
    std::vector<std::optional<Element>> origin(rule.right.names.size());
    if (!input.correspondence) {
      for (std::size_t i = 0; i < origin.size(); ++i) {
        origin[i] = find_name(rule.left.names, rule.right.names[i]);
      }
      return origin;
    }
    for (const auto& [right, left] : *input.correspondence) {
      const auto to = find_name(rule.right.names, right.text);
      const auto from = find_name(rule.left.names, left.text);
      if (!to) unknown_side(right, "right");
      if (!from) unknown_side(left, "left");
      if (!to || !from) continue;
      if (origin[*to])
        report("repeated-name", right.span, fmt::format("'{}' has an origin already", right.text));
      origin[*to] = from;
    }
    return origin;
  }

  void unknown_side(const syntax::Word& element, const char* side) {
    report("unknown-element", element.span,
           fmt::format("'{}' is no element of the {} side", element.text, side));
  }

  std::vector<std::size_t> resolve_embedded(const syntax::Rule& input, const Rule& rule) {
    std::vector<std::size_t> result;
    for (const syntax::Word& name : input.embedded) {
      const auto found = relation_numbers_.find(name.text);
      if (found == relation_numbers_.end()) {
        report("unknown-relation", name.span,
               fmt::format("no structure has a relation '{}'; defined ones cannot be embedded",
                           name.text));
        continue;
      }
      const double arity = static_cast<double>(game_.signature.relations[found->second].arity);
      const double elements = static_cast<double>(rule.left.names.size());
      if (std::pow(elements, arity) > max_embedding_literals) {
        report("rule-too-large", name.span, "the left side has too many tuples to embed this");
      }
      result.push_back(found->second);
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  void resolve_locations() {
    if (input_.locations.empty()) report("missing-part", input_.end, "the game has no LOC");
    std::map<std::string, std::size_t> rules;
    for (std::size_t r = 0; r < game_.rules.size(); ++r) rules[game_.rules[r].name] = r;
    std::vector<const syntax::Location*> sorted = sorted_locations();
    for (const syntax::Location* input : sorted) {
      game_.locations.push_back(
          {number_of(input->number), std::vector<PlayerPart>(game_.players.size())});
    }
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      for (const syntax::PlayerPart& part : sorted[i]->parts) {
        resolve_part(part, rules, game_.locations[i]);
      }
      complete(game_.locations[i], *sorted[i]);
    }
  }

  static std::uint32_t number_of(const syntax::Word& word) {
    return static_cast<std::uint32_t>(std::strtoul(word.text.c_str(), nullptr, 10));
  }

  std::vector<const syntax::Location*> sorted_locations() {
    std::vector<const syntax::Location*> result;
    Names seen;
    for (const syntax::Location& location : input_.locations) {
      if (declare(seen, location.number, "a location")) result.push_back(&location);
    }
    std::sort(result.begin(), result.end(), [](const auto* a, const auto* b) {
      return number_of(a->number) < number_of(b->number);
    });
    return result;
  }

  void resolve_part(const syntax::PlayerPart& input,
                    const std::map<std::string, std::size_t>& rules, Location& location) {
    const auto player = find_name(game_.players, input.player.text);
    if (!player) {
      report("unknown-player", input.player.span,
             fmt::format("'{}' is not among the PLAYERS", input.player.text));
      return;
    }
    PlayerPart& part = location.players[*player];
    if (input.payoff) {
      if (part.payoff) {
        report("repeated-part", input.player.span,
               fmt::format("'{}' has a payoff here already", input.player.text));
      }
      part.payoff = input.payoff;
      check_term(*input.payoff, known_, {}, "a payoff has no free variables", diagnostics_);
    }
    for (const syntax::Edge& edge : input.moves) resolve_edge(edge, rules, part);
  }

  void resolve_edge(const syntax::Edge& edge, const std::map<std::string, std::size_t>& rules,
                    PlayerPart& part) {
    const auto rule = rules.find(edge.rule.text);
    if (rule == rules.end()) {
      report("unknown-rule", edge.rule.span, fmt::format("there is no rule '{}'", edge.rule.text));
      return;
    }
    const std::uint32_t number = number_of(edge.target);
    const auto target =
        std::find_if(game_.locations.begin(), game_.locations.end(),
                     [&](const Location& location) { return location.number == number; });
    if (target == game_.locations.end()) {
      report("unknown-location", edge.target.span,
             fmt::format("there is no location {}", edge.target.text));
      return;
    }
    const Edge resolved{rule->second, static_cast<std::size_t>(target - game_.locations.begin())};
    if (std::find(part.moves.begin(), part.moves.end(), resolved) != part.moves.end()) return;
    part.moves.push_back(resolved);
  }

  // Payoffs that are not given are 0. Where several players move at once, all edges lead to one
  // location.
  void complete(Location& location, const syntax::Location& input) {
    std::size_t movers = 0;
    std::optional<std::size_t> target;
    bool differ = false;
    for (PlayerPart& part : location.players) {
      if (!part.payoff) part.payoff = number(0);
      if (!part.moves.empty()) ++movers;
      for (const Edge& edge : part.moves) {
        differ |= target && *target != edge.target;
        target = edge.target;
      }
    }
    if (movers < 2 || !differ) return;
    report("targets-differ", input.number.span,
           "where several players move at once, all moves must lead to the same location");
  }

  const syntax::Game& input_;
  Game game_;
  std::vector<base::Diagnostic> diagnostics_;
  KnownNames known_;
  std::map<std::string, std::size_t> relation_numbers_;
  Names rule_names_;
  std::size_t definition_depth_ = 0;
};

}  // namespace

Resolved resolve(const syntax::Game& game) { return GameResolver(game).run(); }

}  // namespace zermelo::toss
