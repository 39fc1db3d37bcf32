#include "app/know.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/draw_model.h"
#include "app/write_file.h"
#include "base/source.h"
#include "gdl/term_text.h"
#include "ground/ground.h"
#include "know/entailment.h"
#include "know/game_atoms.h"
#include "know/properties.h"

namespace zermelo::app {
namespace {

using know::Developments;

base::Result<std::shared_ptr<const machine::Machine>> machine_for(const Rules& rules,
                                                                  const base::Limits& limits) {
  auto game = ground::ground(rules, {limits});
  if (!game) return tl::unexpected(game.error());
  return machine::Machine::make(std::move(*game), limits);
}

tl::unexpected<base::Error> wrong(std::string message) {
  return base::fail(base::ErrorKind::invalid_request, std::move(message));
}

bool ends_with(const std::string& text, std::string_view ending) {
  return text.size() >= ending.size() &&
         text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

base::Result<void> check_request(const KnowRequest& request) {
  if (request.round && request.moves) return wrong("--round and --moves exclude each other");
  const bool one_round = request.round || request.moves;
  if (!request.draw.empty() && !ends_with(request.draw, ".svg") && !ends_with(request.draw, ".dot"))
    return wrong("the picture must be a .svg or .dot file: " + request.draw);
  if (!request.model.empty() && !ends_with(request.model, ".json") &&
      !ends_with(request.model, ".smcdel"))
    return wrong("the model must be a .json or .smcdel file: " + request.model);
  if ((!request.draw.empty() || !request.model.empty()) && !one_round)
    return wrong("a picture or a model is of one round: name it with --round or --moves");
  return {};
}

// The moves that a person named: in every step, each role with several legal moves takes the next.
class NamedMoves {
 public:
  NamedMoves(std::shared_ptr<const machine::Machine> machine, std::vector<std::string> names)
      : stepper_(std::move(machine)), names_(std::move(names)), state_(stepper_.initial_state()) {}

  bool done() const { return next_ == names_.size(); }

  // The next joint move.
  base::Result<std::vector<machine::Move>> step() {
    if (stepper_.terminal(state_)) return wrong("the game is over before " + names_[next_]);
    std::vector<machine::Move> joint;
    for (std::size_t role = 0; role < stepper_.roles().size(); ++role) {
      const auto move = choose(role);
      if (!move) return tl::unexpected(move.error());
      joint.push_back(*move);
    }
    state_ = stepper_.next_state(state_, joint);
    return joint;
  }

 private:
  base::Result<machine::Move> choose(std::size_t role) {
    const std::vector<machine::Move> legal = stepper_.legal_moves(state_, role);
    const std::string& name = stepper_.roles()[role];
    if (legal.empty()) return wrong(name + " has no legal move");
    if (legal.size() == 1) return legal[0];
    std::vector<std::string> known;
    for (const machine::Move move : legal) {
      known.push_back(stepper_.move_name(move));
      if (next_ < names_.size() && known.back() == names_[next_]) {
        ++next_;
        return move;
      }
    }
    constexpr std::size_t shown = 20;
    if (known.size() > shown) known.resize(shown);
    return wrong(next_ < names_.size()
                     ? fmt::format("{} is not a legal move of {}; legal moves: {}", names_[next_],
                                   name, fmt::join(known, ", "))
                     : fmt::format("the move of {} is missing; legal moves: {}", name,
                                   fmt::join(known, ", ")));
  }

  machine::Stepper stepper_;
  std::vector<std::string> names_;
  machine::State state_;
  std::size_t next_ = 0;
};

// A round after the announcements.
struct AnnouncedRound {
  know::Frame frame;
  std::vector<std::uint32_t> worlds;  // by world of the frame: the world of the round
};

class KnowledgeQuestion {
 public:
  KnowledgeQuestion(const KnowRequest& request, const Context& context)
      : request_(request), context_(context), limits_(request.limits.start(context)) {}

  base::Result<KnowResult> run() {
    if (const auto valid = check_request(request_); !valid) return tl::unexpected(valid.error());
    context_.report("grounding");
    auto machine = machine_for(request_.rules, limits_);
    if (!machine) return tl::unexpected(machine.error());
    atoms_.emplace(**machine);
    if (const auto read = read_formulas(); !read) return tl::unexpected(read.error());
    developments_.emplace(*machine, know::DevelopmentsOptions{request_.merge, limits_});
    for (std::size_t agent = 0; agent < developments_->agents().size(); ++agent)
      result_.players.push_back(developments_->agent_name(agent));
    if (formula_) result_.holds = true;
    const auto answered = request_.moves ? ask_about_moves(*machine) : ask_about_rounds();
    if (!answered) return tl::unexpected(answered.error());
    return std::move(result_);
  }

 private:
  base::Result<void> read_formulas() {
    const know::Vocabulary vocabulary = atoms_->vocabulary();
    if (!request_.formula.empty()) {
      auto formula = know::parse_formula(request_.formula, vocabulary);
      if (!formula) return tl::unexpected(formula.error());
      formula_ = std::move(*formula);
    }
    for (const std::string& text : request_.announced) {
      auto formula = know::parse_formula(text, vocabulary);
      if (!formula) return tl::unexpected(formula.error());
      announced_.push_back(std::move(*formula));
    }
    std::vector<std::uint32_t> all;
    const auto add = [&](const know::Formula& formula) {
      const auto atoms = know::atoms_of(formula);
      all.insert(all.end(), atoms.begin(), atoms.end());
    };
    if (formula_) add(*formula_);
    for (const know::Formula& formula : announced_) add(formula);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    used_atoms_ = std::move(all);
    return {};
  }

  base::Result<void> ask_about_moves(const std::shared_ptr<const machine::Machine>& machine) {
    auto names = gdl::canonical_terms(*request_.moves);
    if (!names) return wrong(names.error() + ": " + *request_.moves);
    NamedMoves moves(machine, std::move(*names));
    std::uint32_t world = 0;
    know::Line line;
    while (!moves.done()) {
      const auto joint = moves.step();
      if (!joint) return tl::unexpected(joint.error());
      std::vector<std::string>& names_of_step = line.emplace_back();
      for (const machine::Move move : *joint) names_of_step.push_back(machine->move_name(move));
      const auto more = advance();
      if (!more) return tl::unexpected(more.error());
      world = developments_->successor(world, *joint).value();
    }
    const AnnouncedRound round = announced_round();
    const auto place = std::find(round.worlds.begin(), round.worlds.end(), world);
    if (place == round.worlds.end()) return wrong("the development contradicts an announcement");
    add_size(round);
    if (formula_ && know::truth(*formula_, round.frame)[index_of(round, place)] == 0)
      refute(round, index_of(round, place));
    if (result_.counterexample) result_.counterexample->moves = std::move(line);
    return write_files(round);
  }

  static std::uint32_t index_of(const AnnouncedRound& round,
                                std::vector<std::uint32_t>::const_iterator place) {
    return static_cast<std::uint32_t>(place - round.worlds.begin());
  }

  base::Result<void> ask_about_rounds() {
    for (;;) {
      const std::size_t here = developments_->rounds() - 1;
      if (!request_.round || *request_.round == here) {
        const AnnouncedRound round = announced_round();
        add_size(round);
        check_everywhere(round);
        if (request_.round) return write_files(round);
        if (result_.counterexample) return {};
      }
      const auto more = advance();
      if (!more) return tl::unexpected(more.error());
      if (*more) continue;
      if (!request_.round) return {};
      return wrong(fmt::format("no development reaches round {}; the last round is {}",
                               *request_.round, here));
    }
  }

  base::Result<bool> advance() {
    context_.report(fmt::format("round {}", developments_->rounds()));
    return developments_->advance();
  }

  AnnouncedRound announced_round() const {
    AnnouncedRound round{atoms_->frame(*developments_, used_atoms_), {}};
    for (std::uint32_t w = 0; w < round.frame.worlds; ++w) round.worlds.push_back(w);
    std::vector<std::uint32_t> kept;
    for (const know::Formula& formula : announced_) {
      round.frame = know::announce(formula, round.frame, kept);
      for (std::uint32_t& world : kept) world = round.worlds[world];
      round.worlds = kept;
    }
    return round;
  }

  void check_everywhere(const AnnouncedRound& round) {
    if (!formula_) return;
    const know::Truth holds = know::truth(*formula_, round.frame);
    const auto fails = std::find(holds.begin(), holds.end(), 0);
    if (fails != holds.end()) refute(round, static_cast<std::uint32_t>(fails - holds.begin()));
  }

  void refute(const AnnouncedRound& round, std::uint32_t world) {
    const std::size_t last = developments_->rounds() - 1;
    const auto line = [&](std::uint32_t w) {
      return developments_->line_to(last, round.worlds[w]);
    };
    KnowCounterexample found{last, line(world), {}, {}};
    if (const auto witness = know::witness_against(*formula_, round.frame, world)) {
      found.world = line(witness->world);
      if (witness->agent) found.role = result_.players[*witness->agent];
    }
    result_.holds = false;
    result_.counterexample = std::move(found);
  }

  void add_size(const AnnouncedRound& round) {
    const know::Round& here = developments_->last();
    RoundSize size;
    size.round = developments_->rounds() - 1;
    size.worlds = round.worlds.size();
    machine::Stepper stepper(developments_->shared_machine());
    std::vector<bool> ended;
    for (const machine::State& state : here.states) ended.push_back(stepper.terminal(state));
    for (const std::uint32_t w : round.worlds) {
      const know::World& world = here.worlds[w];
      size.developments += world.developments;
      if (ended[world.state]) size.terminal += world.developments;
    }
    for (std::size_t agent = 0; agent < result_.players.size(); ++agent) {
      std::vector<std::uint8_t> seen(here.information_set_count(agent)), decides(seen);
      for (const std::uint32_t w : round.worlds) {
        const std::uint32_t set = here.information[agent][w];
        const std::uint32_t state = here.worlds[w].state;
        seen[set] = 1;
        if (decides[set] != 0 || ended[state]) continue;
        const std::uint32_t role = developments_->agents()[agent];
        decides[set] = stepper.legal_moves(here.states[state], role).size() > 1 ? 1 : 0;
      }
      const auto count = [](const std::vector<std::uint8_t>& sets) {
        return static_cast<std::size_t>(std::count(sets.begin(), sets.end(), 1));
      };
      size.information_sets.push_back(count(seen));
      size.decisions.push_back(count(decides));
    }
    result_.rounds.push_back(std::move(size));
  }

  base::Result<void> write_files(const AnnouncedRound& round) {
    if (request_.draw.empty() && request_.model.empty()) return {};
    const know::Model model = restricted(know::model_of(*developments_), round);
    if (!request_.model.empty()) {
      const bool json = ends_with(request_.model, ".json");
      const auto written = write(request_.model, json ? model_json(model) : know::to_smcdel(model));
      if (!written) return written;
    }
    if (request_.draw.empty()) return {};
    const auto picture =
        ends_with(request_.draw, ".svg") ? model_as_svg(model) : model_as_dot(model);
    if (!picture) return tl::unexpected(picture.error());
    return write(request_.draw, *picture);
  }

  base::Result<void> write(const std::string& path, const std::string& text) {
    const auto written = write_file(path, text);
    if (written) result_.files.push_back(path);
    return written;
  }

  static know::Model restricted(know::Model model, const AnnouncedRound& round) {
    know::Model result{model.agents, {}, {}, round.frame.class_of};
    for (const std::uint32_t w : round.worlds) {
      result.worlds.push_back(std::move(model.worlds[w]));
      result.valuation.push_back(std::move(model.valuation[w]));
    }
    return result;
  }

  const KnowRequest& request_;
  const Context& context_;
  const base::Limits limits_;
  std::optional<know::GameAtoms> atoms_;
  std::optional<know::Formula> formula_;
  std::vector<know::Formula> announced_;
  std::vector<std::uint32_t> used_atoms_;
  std::optional<Developments> developments_;
  KnowResult result_;
};

}  // namespace

base::Result<KnowResult> know(const KnowRequest& request, const Context& context) {
  return KnowledgeQuestion(request, context).run();
}

base::Result<know::KnowledgeProperties> check_knowledge(const KnowledgeRequest& request,
                                                        const Context& context) {
  const base::Limits limits = request.limits.start(context);
  context.report("grounding");
  auto machine = machine_for(request.rules, limits);
  if (!machine) return tl::unexpected(machine.error());
  context.report("following developments");
  return know::check_knowledge(std::move(*machine), {.limits = limits});
}

base::Result<std::string> game_of_model(const std::string& path) {
  const auto source = base::read_source(path);
  if (!source) return tl::unexpected(source.error());
  const auto model = read_model(std::string(source->text()));
  if (!model) return base::fail(model.error().kind, source->name() + ": " + model.error().message);
  auto game = know::to_game(*model);
  if (!game) return base::fail(game.error().kind, source->name() + ": " + game.error().message);
  return game;
}

}  // namespace zermelo::app
