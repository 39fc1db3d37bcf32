// Equal conditions are usually one node of the circuit. Where they are not, a SAT solver looks for
// values of the inputs for which exactly one of the two holds; every gate below them becomes the
// clauses of its definition (Tseitin).
#include "analysis/circuit_proof.h"

#include <cadical.hpp>
#include <vector>

namespace zermelo::analysis {

using circuit::Node;
using circuit::node_of;
using circuit::Wire;

namespace {

constexpr int max_proof_conflicts = 50'000;

class GateClauses {
 public:
  GateClauses(const circuit::Circuit& circuit, CaDiCaL::Solver& solver)
      : circuit_(circuit), solver_(solver), is_defined_(circuit.size()) {
    clause({literal(circuit::always_true)});
  }

  static int literal(Wire wire) {
    const int variable = static_cast<int>(node_of(wire)) + 1;
    return circuit::is_negated(wire) ? -variable : variable;
  }

  void clause(const std::vector<int>& literals) {
    for (const int l : literals) solver_.add(l);
    solver_.add(0);
  }

  // Adds the gates that the condition depends on.
  void define(Wire wire) {
    std::vector<Node> open{node_of(wire)};
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      if (is_defined_[node] || !circuit_.is_gate(node)) continue;
      is_defined_[node] = true;
      std::vector<int> all{literal(node << 1)};
      for (const Wire input : circuit_.wires(node)) {
        clause({-literal(node << 1), literal(input)});
        all.push_back(-literal(input));
        open.push_back(node_of(input));
      }
      clause(all);
    }
  }

 private:
  const circuit::Circuit& circuit_;
  CaDiCaL::Solver& solver_;
  std::vector<bool> is_defined_;
};

struct ProofTerminator : CaDiCaL::Terminator {
  explicit ProofTerminator(ProofLimits& of_proof) : limits(of_proof) {}
  bool terminate() override { return limits.exceeded().has_value(); }
  ProofLimits& limits;
};

}  // namespace

bool are_proved_equal(const circuit::GameCircuit& game, Wire a, Wire b, ProofLimits& limits) {
  if (a == b) return true;
  ProofTerminator terminator(limits);
  CaDiCaL::Solver solver;
  solver.set("quiet", 1);
  solver.connect_terminator(&terminator);
  solver.limit("conflicts", max_proof_conflicts);
  GateClauses gates(game.circuit, solver);
  gates.define(a);
  gates.define(b);
  gates.clause({GateClauses::literal(a), GateClauses::literal(b)});
  gates.clause({-GateClauses::literal(a), -GateClauses::literal(b)});
  const int answer = solver.solve();
  solver.disconnect_terminator();
  return answer == 20;
}

}  // namespace zermelo::analysis
