// Resolution and correctness of the networks of goals (eval/network/logic_network.h), as in section
// 5 of Michulke's paper on generalised C-IL2P (GIGA 2011).
//
//   resolution FILE...
//
// prints a line per game, separated by tabs: file; inputs and rules of the network; states that one
// joint move reaches; for the original and for the generalised network, the size of the interval of
// outputs on these states and the number of different outputs; how many sets of inputs were tested,
// and how many of these some neuron of either network represented wrongly. As in the paper the
// network is that of the first role's best goal. Games with a trivial goal, a literal or a
// constant, have 0 rules. Tested are all inputs if there are at most 4096, and otherwise the
// states, states of random games, and random inputs.
#include <algorithm>
#include <iostream>
#include <set>

#include "analysis/random_walk.h"
#include "base/random.h"
#include "eval/network/logic_network.h"
#include "eval/network/network_inputs.h"
#include "gdl/parser.h"
#include "ground/ground.h"

namespace {

using namespace zermelo;
using namespace zermelo::eval::network;

std::shared_ptr<const machine::Machine> load(const std::string& file) {
  auto source = base::read_source(file);
  if (!source) return nullptr;
  auto parsed = gdl::parse(std::make_shared<const base::Source>(std::move(*source)));
  const base::Limits limits(std::chrono::seconds(20), {});
  auto game =
      ground::ground(std::make_shared<const gdl::Rulesheet>(std::move(parsed.rulesheet)), {limits});
  if (!game) return nullptr;
  auto machine = machine::Machine::make(std::move(*game), limits);
  return machine ? *machine : nullptr;
}

std::vector<machine::State> states_after_one_move(
    const std::shared_ptr<const machine::Machine>& machine) {
  constexpr std::size_t most = 10'000;
  machine::Stepper stepper(machine);
  const machine::State initial = stepper.initial_state();
  std::vector<std::vector<base::Move>> joints = {{}};
  for (std::size_t role = 0; role < stepper.roles().size(); ++role) {
    std::vector<std::vector<base::Move>> longer;
    for (const auto& joint : joints) {
      for (const base::Move move : stepper.legal_moves(initial, role)) {
        if (longer.size() == most) break;
        longer.push_back(joint);
        longer.back().push_back(move);
      }
    }
    joints = std::move(longer);
  }
  std::set<machine::State> states;
  for (const auto& joint : joints) states.insert(stepper.next_state(initial, joint));
  return {states.begin(), states.end()};
}

struct Tested {
  std::size_t inputs = 0, wrong = 0;
};

class Measurement {
 public:
  Measurement(const std::shared_ptr<const machine::Machine>& machine, const DomainTheory& theory)
      : machine_(machine),
        theory_(theory),
        inputs_(machine->game(), theory),
        networks_{LogicNetwork::original(theory, smallest_parameters(std::max<std::size_t>(
                                                     2, theory.max_antecedents()))),
                  LogicNetwork::generalised(theory)},
        holds_(theory.nodes()),
        outputs_(theory.nodes()) {}

  void run(const std::string& file) {
    const auto states = states_after_one_move(machine_);
    std::set<double> values[2];
    for (const machine::State& state : states) {
      read(state);
      for (std::size_t n = 0; n < 2; ++n) values[n].insert(output(networks_[n]));
      test();
    }
    test_more();
    std::cout << file << '\t' << theory_.inputs() << '\t' << theory_.rules().size() << '\t'
              << states.size();
    for (const std::set<double>& of_network : values) {
      const double size = of_network.empty() ? 0 : *of_network.rbegin() - *of_network.begin();
      std::cout << '\t' << size << '\t' << of_network.size();
    }
    std::cout << '\t' << tested_.inputs << '\t' << tested_.wrong << std::endl;
  }

 private:
  void set(DomainTheory::Node input, bool value) {
    holds_[input] = value;
    outputs_[input] = value ? 1 : -1;
  }

  void read(const machine::State& state) {
    std::vector<std::uint32_t> active;
    inputs_.read(state, active);
    std::vector<bool> is_active(inputs_.size());
    for (const std::uint32_t input : active) is_active[input] = true;
    for (DomainTheory::Node i = 0; i < theory_.inputs(); ++i) {
      set(i, is_active[inputs_.of_theory()[i]]);
    }
  }

  double output(const LogicNetwork& network) {
    network.evaluate(outputs_);
    return LogicNetwork::output(theory_.goals(0)[0].condition, outputs_);
  }

  void test() {
    theory_.derive(holds_);
    bool is_right = true;
    for (const LogicNetwork& network : networks_) {
      network.evaluate(outputs_);
      is_right = is_right && network.represents(holds_, outputs_);
    }
    ++tested_.inputs;
    tested_.wrong += !is_right;
  }

  void test_more() {
    if (theory_.inputs() <= 12) {
      for (std::uint64_t bits = 0; bits < std::uint64_t{1} << theory_.inputs(); ++bits) {
        for (DomainTheory::Node i = 0; i < theory_.inputs(); ++i) set(i, bits >> i & 1);
        test();
      }
      return;
    }
    const base::Limits time(std::chrono::duration<double>(0.5), {});
    analysis::RandomWalk walk(machine_, {.max_depth = 300});
    base::Random random(1);
    for (int i = 0; i < 2'000 && !time.exceeded(); ++i) {
      read(walk.state());
      test();
      if (!walk.advance()) walk.restart();
      const std::uint32_t share = random.below(101);
      for (DomainTheory::Node input = 0; input < theory_.inputs(); ++input) {
        set(input, random.below(100) < share);
      }
      test();
    }
  }

  std::shared_ptr<const machine::Machine> machine_;
  const DomainTheory& theory_;
  NetworkInputs inputs_;
  LogicNetwork networks_[2];
  std::vector<bool> holds_;
  std::vector<double> outputs_;
  Tested tested_;
};

void measure(const std::string& file) {
  const auto machine = load(file);
  if (!machine) return void(std::cout << file << "\tnot loaded" << std::endl);
  const DomainTheory all(machine->game());
  if (all.roles() == 0 || all.goals(0).empty()) {
    return void(std::cout << file << "\tno goal" << std::endl);
  }
  const DomainTheory theory = all.only(all.goals(0).back());
  Measurement(machine, theory).run(file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: resolution FILE...\n";
    return 2;
  }
  for (int i = 1; i < argc; ++i) measure(argv[i]);
}
