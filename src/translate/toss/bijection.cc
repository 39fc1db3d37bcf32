#include "translate/toss/bijection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/random.h"
#include "base/reward.h"
#include "toss/structure_machine.h"

namespace zermelo::translate::toss {
namespace {

using zermelo::toss::StructureMachine;
using JointNames = std::vector<std::string>;

class BijectionCheck {
 public:
  BijectionCheck(const std::shared_ptr<const machine::Machine>& machine,
                 const TossTranslation& translation, StructureMachine toss,
                 const BijectionOptions& options)
      : stepper_(machine),
        translation_(translation),
        toss_(std::move(toss)),
        options_(options),
        random_(options.seed) {}

  BijectionReport run() {
    try {
      while (report_.games < options_.games && !report_.difference && !report_.stopped) {
        play();
        ++report_.games;
      }
    } catch (const zermelo::toss::LimitReached& limit) {
      report_.stopped = limit.kind() == base::ErrorKind::time_limit;
      if (!report_.stopped) {
        report_.difference = std::string("evaluating the rules: ") + limit.what();
      }
    }
    return report_;
  }

 private:
  void play() {
    line_.clear();
    machine::State state = stepper_.initial_state();
    StructureMachine::State structure = toss_.initial_state();
    for (std::size_t step = 0; step < options_.longest; ++step) {
      if (options_.limits.exceeded()) report_.stopped = true;
      if (report_.stopped) return;
      ++report_.states;
      if (!is_same_state(state, structure)) return differ("the structures differ");
      const bool is_over = stepper_.terminal(state);
      if (!is_over && lacks_moves(state)) return;  // the rules are not well-formed
      if (is_over != toss_.terminal(structure)) {
        return differ(is_over ? "only the game in GDL is over" : "only the game in Toss is over");
      }
      if (is_over) return compare_payoffs(state, structure);
      if (!translation_.is_state()) {
        if (!move_separately(state, structure)) return;
        continue;
      }
      const std::map<JointNames, std::vector<base::Move>> expected = joint_moves(state);
      const auto found = applications(structure);
      if (report_.difference) return;
      for (const auto& [names, joint] : expected) {
        if (found.count(names) == 0) {
          return differ(fmt::format("{} is legal in GDL only", fmt::join(names, " ")));
        }
      }
      if (found.size() > expected.size()) return differ("Toss has more moves");
      auto chosen = expected.begin();
      std::advance(chosen, random_.below(static_cast<std::uint32_t>(expected.size())));
      line_ += fmt::format(" [{}]", fmt::join(chosen->first, " "));
      state = stepper_.next_state(state, chosen->second);
      structure = toss_.next_state(structure, found.at(chosen->first));
    }
  }

  // Where players choose at the same time, the state follows from the structure: the definition
  // Now.
  bool is_same_state(const machine::State& state, const StructureMachine::State& structure) {
    if (translation_.is_state()) return translation_.structure(state) == structure.structure();
    if (!now_) {
      now_.emplace(toss_.theory(), *zermelo::toss::atom("Now", {"x"}), std::vector<std::string>{},
                   std::vector<std::string>{"x"});
    }
    return now_->answers(structure.structure()) == translation_.state_terms(state);
  }

  // Compares the moves of each role alone, and makes random ones. False where they differ.
  bool move_separately(machine::State& state, StructureMachine::State& structure) {
    std::vector<base::Move> joint;
    std::vector<zermelo::toss::Move> applied;
    for (std::size_t role = 0; role < stepper_.roles().size(); ++role) {
      std::map<std::string, base::Move> expected;
      for (const base::Move move : stepper_.legal_moves(state, role)) {
        expected.emplace(stepper_.move_name(move), move);
      }
      std::map<std::string, zermelo::toss::Move> found;
      for (const zermelo::toss::Move move : toss_.legal_moves(structure, role)) {
        const auto application = toss_.application(move);
        const std::string name = application ? translation_.joint_move(application->first.rule,
                                                                       application->second)[role]
                                             : "nothing";
        if (!found.emplace(name, move).second) differ("several matches stand for " + name);
        if (expected.count(name) == 0) differ(name + " is legal in Toss only");
      }
      if (found.size() != expected.size()) differ("a move is legal in GDL only");
      if (report_.difference) return false;
      auto chosen = expected.begin();
      std::advance(chosen, random_.below(static_cast<std::uint32_t>(expected.size())));
      line_ += fmt::format(" {}", chosen->first);
      joint.push_back(chosen->second);
      applied.push_back(found.at(chosen->first));
    }
    state = stepper_.next_state(state, joint);
    structure = toss_.next_state(structure, applied);
    return true;
  }

  void differ(const std::string& what) {
    if (!report_.difference) report_.difference = what + (line_.empty() ? "" : " after" + line_);
  }

  bool lacks_moves(const machine::State& state) {
    for (std::size_t role = 0; role < stepper_.roles().size(); ++role) {
      if (stepper_.legal_moves(state, role).empty()) return true;
    }
    return false;
  }

  std::map<JointNames, std::vector<base::Move>> joint_moves(const machine::State& state) {
    std::map<JointNames, std::vector<base::Move>> result = {{{}, {}}};
    for (std::size_t role = 0; role < stepper_.roles().size(); ++role) {
      std::map<JointNames, std::vector<base::Move>> longer;
      for (const auto& [names, joint] : result) {
        for (const base::Move move : stepper_.legal_moves(state, role)) {
          JointNames more = names;
          std::vector<base::Move> moves = joint;
          more.push_back(stepper_.move_name(move));
          moves.push_back(move);
          longer.emplace(std::move(more), std::move(moves));
        }
      }
      result = std::move(longer);
    }
    return result;
  }

  // The joint moves of Toss by the moves of GDL that they stand for.
  std::map<JointNames, std::vector<zermelo::toss::Move>> applications(
      const StructureMachine::State& structure) {
    std::map<JointNames, std::vector<zermelo::toss::Move>> result;
    const std::size_t roles = toss_.roles().size();
    std::vector<zermelo::toss::Move> idle;
    for (std::size_t role = 0; role < roles; ++role) {
      idle.push_back(toss_.legal_moves(structure, role).front());
    }
    std::size_t movers = 0;
    for (std::size_t role = 0; role < roles; ++role) {
      bool moves = false;
      for (const zermelo::toss::Move move : toss_.legal_moves(structure, role)) {
        const auto application = toss_.application(move);
        if (!application) continue;
        moves = true;
        std::vector<zermelo::toss::Move> joint = idle;
        joint[role] = move;
        const JointNames names =
            translation_.joint_move(application->first.rule, application->second);
        if (!result.emplace(names, std::move(joint)).second) {
          differ(fmt::format("several rules stand for {}", fmt::join(names, " ")));
        }
      }
      movers += moves ? 1 : 0;
    }
    if (movers > 1) differ("several players move in Toss");
    return result;
  }

  void compare_payoffs(const machine::State& state, const StructureMachine::State& structure) {
    for (std::size_t role = 0; role < stepper_.roles().size(); ++role) {
      const std::vector<int> goals = stepper_.goals(state, role);
      const std::vector<int> payoff = toss_.goals(structure, role);
      if (goals.size() == 1 && goals != payoff) {
        return differ(fmt::format("{} gets {} in GDL and {} in Toss", stepper_.roles()[role],
                                  goals[0], payoff.empty() ? 0 : payoff[0]));
      }
    }
  }

  machine::Stepper stepper_;
  const TossTranslation& translation_;
  StructureMachine toss_;
  const BijectionOptions& options_;
  base::Random random_;
  BijectionReport report_;
  std::optional<zermelo::toss::Query> now_;
  std::string line_;
};

}  // namespace

BijectionReport check_bijection(const std::shared_ptr<const machine::Machine>& machine,
                                const TossTranslation& translation,
                                const BijectionOptions& options) {
  zermelo::toss::MachineOptions machine_options;
  machine_options.evaluation.limits = options.limits;
  auto toss = StructureMachine::make(translation.game, machine_options);
  if (!toss) {
    const bool is_late = toss.error().kind == base::ErrorKind::time_limit;
    return {0, 0, is_late ? std::nullopt : std::optional(toss.error().message), is_late};
  }
  return BijectionCheck(machine, translation, std::move(*toss), options).run();
}

}  // namespace zermelo::translate::toss
