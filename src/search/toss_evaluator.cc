#include "search/toss_evaluator.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "base/random.h"
#include "toss/heuristic.h"
#include "toss/parser.h"
#include "toss/printer.h"
#include "translate/toss/to_kif.h"
#include "translate/toss/to_toss.h"

namespace zermelo::search {
namespace {

using toss::Structure;

constexpr std::string_view file_prefix = "toss@";

// States of the machine as structures.
class StructureReader {
 public:
  virtual ~StructureReader() = default;
  virtual std::size_t location(const machine::State& state) const = 0;
  virtual Structure structure(const machine::State& state) const = 0;
};

class TranslationReader : public StructureReader {
 public:
  explicit TranslationReader(translate::toss::TossTranslation translation)
      : translation_(std::move(translation)) {}

  std::size_t location(const machine::State&) const override { return 0; }
  Structure structure(const machine::State& state) const override {
    return translation_.structure(state);
  }

 private:
  translate::toss::TossTranslation translation_;
};

// The fluents of rules that a Toss file became.
class FileReader : public StructureReader {
 public:
  explicit FileReader(std::shared_ptr<const toss::Game> game) : game_(std::move(game)) {}

  // False if a fluent is not one of the Toss game.
  bool read(const ground::Game& rules, const translate::toss::KifGame& names) {
    for (const gdl::Term& fluent : rules.fluents) {
      const std::string& functor = rules.rulesheet->symbols.name(fluent.name);
      Place place;
      if (functor == "location.") {
        const std::string& number = rules.rulesheet->symbols.name(fluent.arguments[0].name);
        for (std::size_t l = 0; l < game_->locations.size(); ++l) {
          if (std::to_string(game_->locations[l].number) == number) place.location = l;
        }
        if (!place.location) return false;
        places_.push_back(std::move(place));
        continue;
      }
      const auto relation = names.relations.find(functor);
      const bool is_element = functor == "element.";
      if (!is_element && relation == names.relations.end()) return false;
      if (!is_element) place.relation = relation->second;
      for (const gdl::Term& argument : fluent.arguments) {
        const auto element = names.elements.find(rules.rulesheet->symbols.name(argument.name));
        if (element == names.elements.end()) return false;
        place.tuple.push_back(element->second);
      }
      if (is_element) elements_change_ = true;
      places_.push_back(std::move(place));
    }
    return true;
  }

  std::size_t location(const machine::State& state) const override {
    std::size_t result = 0;
    state.for_each([&](std::size_t fluent) {
      if (places_[fluent].location) result = *places_[fluent].location;
    });
    return result;
  }

  Structure structure(const machine::State& state) const override {
    std::map<std::size_t, std::vector<toss::Element>> tuples;
    std::vector<toss::Element> universe;
    for (const Place& place : places_) {
      if (place.relation) tuples[*place.relation];
    }
    std::vector<bool> flags(game_->signature.relations.size());
    state.for_each([&](std::size_t fluent) {
      const Place& place = places_[fluent];
      if (place.location) return;
      if (!place.relation) {
        universe.push_back(place.tuple[0]);
        return;
      }
      flags[*place.relation] = true;
      std::vector<toss::Element>& all = tuples[*place.relation];
      all.insert(all.end(), place.tuple.begin(), place.tuple.end());
    });
    Structure result = game_->start.structure;
    if (elements_change_) {
      std::sort(universe.begin(), universe.end());
      result.set_universe(std::move(universe));
    }
    for (auto& [relation, elements] : tuples) {
      const std::size_t arity = game_->signature.relations[relation].arity;
      if (arity > 0) {
        result.set_relation(relation, toss::TupleSet(arity, std::move(elements)));
      } else {
        result.set_relation(relation, flags[relation] ? toss::TupleSet::unit() : toss::TupleSet(0));
      }
    }
    return result;
  }

 private:
  struct Place {
    std::optional<std::size_t> location, relation;
    std::vector<toss::Element> tuple;
  };

  std::shared_ptr<const toss::Game> game_;
  std::vector<Place> places_;  // by fluent
  bool elements_change_ = false;
};

class TossEvaluator : public eval::Evaluator {
 public:
  TossEvaluator(std::unique_ptr<const StructureReader> reader, toss::StructureMachine toss,
                const toss::Heuristic& heuristic, std::vector<std::string> texts)
      : reader_(std::move(reader)),
        toss_(std::move(toss)),
        roles_(toss_.roles().size()),
        heuristic_(toss_.theory(), heuristic),
        texts_(std::move(texts)) {}

  // The scale of the map: the mean size of differences between roles in these states.
  void set_scale(std::span<const machine::State> states) {
    double total = 0;
    for (const machine::State& state : states) {
      const std::vector<double> values = heuristics(state);
      for (std::size_t role = 0; role < roles_; ++role) total += std::abs(lead(values, role));
    }
    const double mean =
        total / static_cast<double>(std::max<std::size_t>(1, states.size()) * roles_);
    scale_ = std::max(4 * mean, 1e-6);
  }

  void evaluate(std::span<const machine::State> states, std::span<float> values) const override {
    for (std::size_t i = 0; i < states.size(); ++i) {
      const std::vector<double> all = heuristics(states[i]);
      for (std::size_t role = 0; role < roles_; ++role) {
        const double difference = lead(all, role);
        const double share = difference / (std::abs(difference) + scale_);
        values[i * roles_ + role] = static_cast<float>(50 + 50 * share);
      }
    }
  }

  std::vector<eval::EvaluationPart> explain(const machine::State& state,
                                            std::size_t role) const override {
    return {
        {texts_[reader_->location(state) * roles_ + role], "heuristic", heuristics(state)[role]}};
  }

 private:
  std::vector<double> heuristics(const machine::State& state) const {
    const Structure structure = reader_->structure(state);
    const std::size_t location = reader_->location(state);
    std::vector<double> result;
    for (std::size_t role = 0; role < roles_; ++role) {
      result.push_back(heuristic_.value(location, structure, role));
    }
    return result;
  }

  static double lead(const std::vector<double>& values, std::size_t role) {
    if (values.size() == 1) return values[0];
    double others = -std::numeric_limits<double>::infinity();
    for (std::size_t other = 0; other < values.size(); ++other) {
      if (other != role) others = std::max(others, values[other]);
    }
    return values[role] - others;
  }

  std::unique_ptr<const StructureReader> reader_;
  toss::StructureMachine toss_;
  std::size_t roles_;
  toss::HeuristicEvaluator heuristic_;
  std::vector<std::string> texts_;  // by location, role
  double scale_ = 1;
};

struct ReadGame {
  std::shared_ptr<const toss::Game> game;
  std::unique_ptr<const StructureReader> reader;
};

base::Result<ReadGame> read_file(const std::shared_ptr<const machine::Machine>& machine,
                                 const std::string& path) {
  const auto source = base::read_source(path);
  if (!source) return tl::unexpected(source.error());
  toss::ParseResult parsed = toss::parse(*source);
  if (base::has_errors(parsed.diagnostics)) {
    return base::fail(base::ErrorKind::invalid_rules, path + ": not valid as a Toss game");
  }
  const auto names = translate::toss::to_kif(parsed.game, *source);
  if (!names) return tl::unexpected(names.error());
  const auto game = std::make_shared<const toss::Game>(std::move(parsed.game));
  auto reader = std::make_unique<FileReader>(game);
  if (!reader->read(machine->game(), *names)) {
    return base::fail(base::ErrorKind::not_applicable, path + " is not the game that is played");
  }
  return ReadGame{game, std::move(reader)};
}

base::Result<ReadGame> translate_game(const std::shared_ptr<const machine::Machine>& machine,
                                      const base::Limits& limits) {
  translate::toss::ToTossOptions options;
  options.limits = limits;
  auto translation = translate::toss::to_toss(machine, options);
  if (!translation) {
    return base::fail(translation.error().kind,
                      "no translation to Toss: " + translation.error().message);
  }
  if (!translation->is_state()) {
    return base::fail(base::ErrorKind::not_applicable,
                      "no heuristic of Toss where players choose at the same time");
  }
  const auto game = translation->game;
  return ReadGame{game, std::make_unique<TranslationReader>(std::move(*translation))};
}

std::vector<machine::State> random_states(const std::shared_ptr<const machine::Machine>& machine) {
  constexpr std::size_t count = 64;
  machine::Stepper stepper(machine);
  base::Random random(1);
  std::vector<machine::State> result;
  machine::State state = stepper.initial_state();
  while (result.size() < count) {
    result.push_back(state);
    std::vector<base::Move> joint;
    for (std::size_t role = 0; role < stepper.roles().size() && !stepper.terminal(state); ++role) {
      const auto legal = stepper.legal_moves(state, role);
      if (!legal.empty()) {
        joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
      }
    }
    state = joint.size() == stepper.roles().size() ? stepper.next_state(state, joint)
                                                   : stepper.initial_state();
  }
  return result;
}

}  // namespace

bool is_toss_evaluator(std::string_view name) {
  return name == "toss" || name == "toss-existential" || name == "toss-conditions" ||
         (name.starts_with(file_prefix) && name.size() > file_prefix.size());
}

base::Result<std::shared_ptr<const eval::Evaluator>> make_toss_evaluator(
    const std::shared_ptr<const machine::Machine>& machine, std::string_view name,
    const base::Limits& limits) {
  auto read = name.starts_with(file_prefix)
                  ? read_file(machine, std::string(name.substr(file_prefix.size())))
                  : translate_game(machine, limits);
  if (!read) return tl::unexpected(read.error());
  toss::MachineOptions machine_options;
  machine_options.evaluation.limits = limits;
  auto structures = toss::StructureMachine::make(read->game, machine_options);
  if (!structures) return tl::unexpected(structures.error());
  toss::HeuristicOptions options;
  if (name == "toss-existential") options.method = toss::HeuristicMethod::existential;
  if (name == "toss-conditions") options.method = toss::HeuristicMethod::rule_conditions;
  const auto heuristic = toss::make_heuristic(*structures, options);
  if (!heuristic) return tl::unexpected(heuristic.error());
  std::vector<std::string> texts;
  for (const auto& terms : heuristic->terms) {
    for (const toss::TermPtr& term : terms) texts.push_back(print(*term));
  }
  try {
    auto evaluator = std::make_shared<TossEvaluator>(
        std::move(read->reader), std::move(*structures), *heuristic, std::move(texts));
    evaluator->set_scale(random_states(machine));
    return evaluator;
  } catch (const toss::LimitReached& reached) {
    return base::fail(reached.kind(), reached.what());
  }
}

}  // namespace zermelo::search
