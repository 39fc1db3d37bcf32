// Conditions on the dependency graph of the predicates (2008 specification, section 4).
//
// Dependencies between keywords: `init`, `base` and `input` must be known before the game starts;
// `legal`, `goal` and `terminal` must be known before the players move.
//
// Stratification: no predicate is defined through its own negation, so that the rules have exactly
// one meaning. `strata.cc` describes what is accepted beyond the specification.
//
// The recursion restriction keeps the meaning finite when there are functions. In a rule for p with
// a condition q(s1 ... sk) in the component of p, each sj is ground, or is an argument of the head,
// or is an argument of a positive condition outside the component. Recursion then cannot build
// ever larger terms. With `or`, the other condition must hold in the branch of q.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "gdl/body.h"
#include "gdl/strata.h"
#include "gdl/validity_checks.h"

namespace zermelo::gdl {
namespace {

std::vector<PredicateId> named(const DependencyGraph& graph, const std::vector<Symbol>& names) {
  std::vector<PredicateId> found;
  for (PredicateId id = 0; id < graph.size(); ++id) {
    const Symbol name = graph.predicate(id).name;
    if (std::find(names.begin(), names.end(), name) != names.end()) found.push_back(id);
  }
  return found;
}

// Returns " ('a' uses 'b', 'b' uses 'c')", or "" for a target. A long path is cut off.
std::string describe_path(const DependencyGraph& graph, const Report& report,
                          const std::vector<DependencyGraph::Path>& paths, PredicateId from) {
  constexpr int max_length = 6;
  std::string text;
  int length = 0;
  for (PredicateId at = from; paths[at].next != at; at = paths[at].next) {
    if (++length > max_length) return fmt::format(" ({}, ...)", text);
    text +=
        fmt::format("{}{} uses {}", text.empty() ? "" : ", ", report.quoted(graph.first_atom(at)),
                    report.quoted(graph.first_atom(paths[at].next)));
  }
  return text.empty() ? text : fmt::format(" ({})", text);
}

struct Ban {
  Symbol head;
  const char* code;
};

class DependencyBan {
 public:
  DependencyBan(const CheckInput& input, const std::vector<Symbol>& targets,
                const char* explanation)
      : input_(input),
        explanation_(explanation),
        paths_(input.graph.paths_to(named(input.graph, targets))) {}

  void check(const std::vector<Ban>& bans, Report& report) const {
    for (const Dependency& edge : input_.graph.dependencies()) {
      if (paths_[edge.body].target == DependencyGraph::unreachable) continue;
      if (is_head_only(edge.atom->name)) continue;
      const Symbol head = input_.graph.predicate(edge.head).name;
      for (const Ban& ban : bans) {
        if (ban.head == head) report_edge(edge, ban, report);
      }
    }
  }

 private:
  void report_edge(const Dependency& edge, const Ban& ban, Report& report) const {
    const DependencyGraph& graph = input_.graph;
    const Term& target = graph.first_atom(paths_[edge.body].target);
    report.error(ban.code, edge.atom->span,
                 fmt::format("{} cannot depend on {}{}; {}",
                             report.quoted(input_.rulesheet.clauses[edge.clause].head),
                             report.quoted(target), describe_path(graph, report, paths_, edge.body),
                             explanation_));
  }

  const CheckInput& input_;
  const char* explanation_;
  std::vector<DependencyGraph::Path> paths_;
};

// Interns terms by structure: equal terms have equal keys.
class TermKeys {
 public:
  Support::Key key(const Term& term) {
    std::vector<std::uint32_t> shape{static_cast<std::uint32_t>(term.kind),
                                     static_cast<std::uint32_t>(term.name)};
    for (const Term& argument : term.arguments) shape.push_back(key(argument));
    return keys_.try_emplace(std::move(shape), static_cast<Support::Key>(keys_.size()))
        .first->second;
  }

 private:
  struct Hash {
    std::size_t operator()(const std::vector<std::uint32_t>& shape) const {
      std::uint64_t hash = 0xcbf29ce484222325u;
      for (const std::uint32_t part : shape) hash = (hash ^ part) * 0x100000001b3u;
      return static_cast<std::size_t>(hash ^ hash >> 32);
    }
  };
  std::unordered_map<std::vector<std::uint32_t>, Support::Key, Hash> keys_;
};

class Recursion {
 public:
  Recursion(const CheckInput& input, Report& report)
      : input_(input),
        report_(report),
        support_([this](const Term& atom, std::vector<Support::Key>& keys) {
          if (is_recursive(atom)) return;
          for (const Term& argument : atom.arguments) keys.push_back(terms_.key(argument));
        }) {}

  // Requires a clause with a condition in the component of its head.
  void check(const Clause& clause) {
    head_ = *input_.graph.find(clause.head);
    reset_table(head_terms_);
    for (const Term& argument : clause.head.arguments) head_terms_.insert(terms_.key(argument));
    support_.enter_body(clause.body);
    support_.visit(clause.body, [this](const Formula& literal, bool positive) {
      if (literal.kind == Formula::Kind::atom && positive && is_recursive(literal.atom)) {
        for (const Term& argument : literal.atom.arguments) check_argument(literal.atom, argument);
      }
    });
  }

 private:
  bool is_recursive(const Term& atom) const {
    const auto predicate = input_.graph.find(atom);
    return predicate && input_.graph.same_component(*predicate, head_);
  }

  void check_argument(const Term& atom, const Term& argument) {
    if (is_ground(argument)) return;
    const Support::Key key = terms_.key(argument);
    if (head_terms_.count(key) != 0 || support_.holds(key)) return;
    report_.error("unrestricted-recursion", argument.span,
                  fmt::format("this argument of the recursive condition {} is not ground, not an "
                              "argument of the head, and not an argument of a positive condition "
                              "outside the recursion; add such a condition",
                              report_.quoted(atom)));
  }

  const CheckInput& input_;
  Report& report_;
  TermKeys terms_;
  PredicateId head_ = 0;
  std::unordered_set<Support::Key> head_terms_;
  Support support_;
};

void report_negative_cycle(const CheckInput& input, const Dependency& edge, bool with_path,
                           Report& report) {
  const DependencyGraph& graph = input.graph;
  const std::string path =
      with_path ? describe_path(graph, report, graph.paths_to({edge.head}), edge.body) : "";
  const std::string head = report.quoted(input.rulesheet.clauses[edge.clause].head);
  report.error("unstratified-negation", edge.atom->span,
               fmt::format("{} is defined through its own negation, by the negated {}{}; break the "
                           "cycle with a predicate that does not depend on {}",
                           head, report.quoted(*edge.atom), path, head));
}

// The clauses with a condition in the component of their head, in order.
std::vector<std::uint32_t> recursive_clauses(const DependencyGraph& graph) {
  std::vector<std::uint32_t> clauses;
  for (const Dependency& edge : graph.dependencies()) {
    if (!graph.same_component(edge.head, edge.body)) continue;
    if (clauses.empty() || clauses.back() != edge.clause) clauses.push_back(edge.clause);
  }
  return clauses;
}

}  // namespace

void check_dependencies(const CheckInput& input, Report& report) {
  DependencyBan(input,
                {keyword::true_, keyword::does, keyword::next, keyword::legal, keyword::goal,
                 keyword::terminal},
                "it must be known before the game starts; use conditions that never change")
      .check({{keyword::init, "init-depends-on-state"},
              {keyword::base, "base-depends-on-state"},
              {keyword::input, "input-depends-on-state"}},
             report);
  DependencyBan(input, {keyword::does},
                "it must be known before the players move; use 'true' instead")
      .check({{keyword::legal, "legal-depends-on-does"},
              {keyword::goal, "goal-depends-on-does"},
              {keyword::terminal, "terminal-depends-on-does"}},
             report);
}

void check_stratification(const CheckInput& input, Report& report) {
  const Strata strata = find_strata(input.rulesheet, input.graph);
  int paths_left = 20;  // finding a path takes a pass over the graph
  for (const std::uint32_t index : strata.violations) {
    report_negative_cycle(input, input.graph.dependencies()[index], paths_left-- > 0, report);
  }
  for (const std::uint32_t index : strata.resolved) {
    const Dependency& edge = input.graph.dependencies()[index];
    report.warning(
        "own-negation", edge.atom->span,
        fmt::format("{} depends on the negated {}, which depends on it; the specification "
                    "forbids this, and it is accepted only because the clauses differ "
                    "in their constants; define a separate predicate",
                    report.quoted(input.rulesheet.clauses[edge.clause].head),
                    report.quoted(*edge.atom)));
  }
}

void check_recursion(const CheckInput& input, Report& report) {
  Recursion recursion(input, report);
  for (const std::uint32_t clause : recursive_clauses(input.graph)) {
    recursion.check(input.rulesheet.clauses[clause]);
  }
}

}  // namespace zermelo::gdl
