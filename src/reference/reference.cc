#include "reference/reference.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace zermelo::reference {

static_assert(base::PerceivingMachine<Reference>);

base::Result<Reference> Reference::make(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                                        const base::Limits& limits) {
  try {
    base::LimitedSteps steps(limits);
    base::Result<RuleProgram> program = make_program(*rulesheet, steps);
    if (!program) return tl::unexpected(program.error());
    return Reference(std::move(rulesheet), std::move(*program), limits);
  } catch (const base::LimitReached& reached) {
    return base::fail(reached.kind(), reached.what());
  }
}

Reference::Reference(std::shared_ptr<const gdl::Rulesheet> rulesheet, RuleProgram program,
                     const base::Limits& limits)
    : rulesheet_(std::move(rulesheet)), evaluator_(std::move(program), limits) {
  const TupleSet& roles = evaluator_.ask(evaluator_.program().role, std::array{no_term});
  for (std::uint32_t i = 0; i < roles.size(); ++i) roles_.push_back(roles[i][0]);
  for (const TermId role : roles_) {
    role_names_.push_back(print(role));
    is_random_.push_back(evaluator_.program().terms.name(role) == gdl::keyword::random);
  }
}

Reference::State Reference::initial_state() {
  return collect_state(evaluator_.ask(evaluator_.program().init, std::array{no_term}));
}

std::vector<base::Move> Reference::legal_moves(const State& state, std::size_t role) {
  enter(state);
  const TupleSet& legal =
      evaluator_.ask(evaluator_.program().legal, std::array{roles_[role], no_term});
  std::vector<base::Move> moves;
  for (std::uint32_t i = 0; i < legal.size(); ++i) moves.push_back(legal[i][1]);
  std::sort(moves.begin(), moves.end(),
            [&](base::Move a, base::Move b) { return name(a) < name(b); });
  return moves;
}

Reference::State Reference::next_state(const State& state, std::span<const base::Move> joint) {
  enter(state);
  evaluator_.set_moves(roles_, joint);
  return collect_state(evaluator_.ask(evaluator_.program().next, std::array{no_term}));
}

bool Reference::terminal(const State& state) {
  enter(state);
  return evaluator_.ask(evaluator_.program().terminal, {}).size() != 0;
}

std::vector<base::Percept> Reference::percepts(const State& state,
                                               std::span<const base::Move> joint,
                                               std::size_t role) {
  if (is_random_[role]) return {};
  enter(state);
  evaluator_.set_moves(roles_, joint);
  const TupleSet& sees =
      evaluator_.ask(evaluator_.program().sees, std::array{roles_[role], no_term});
  std::vector<base::Percept> percepts;
  for (std::uint32_t i = 0; i < sees.size(); ++i) percepts.push_back(sees[i][1]);
  std::sort(percepts.begin(), percepts.end(),
            [&](base::Percept a, base::Percept b) { return name(a) < name(b); });
  return percepts;
}

std::vector<int> Reference::goals(const State& state, std::size_t role) {
  if (is_random_[role]) return {};
  enter(state);
  const TupleSet& goal =
      evaluator_.ask(evaluator_.program().goal, std::array{roles_[role], no_term});
  std::vector<int> values;
  for (std::uint32_t i = 0; i < goal.size(); ++i) {
    const std::string& text = name(goal[i][1]);
    int value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ptr == text.data() + text.size()) values.push_back(value);
  }
  std::sort(values.begin(), values.end());
  return values;
}

std::vector<std::string> Reference::fluent_names(const State& state) {
  std::vector<std::string> names;
  for (const TermId fluent : state.fluents) names.push_back(name(fluent));
  std::sort(names.begin(), names.end());
  return names;
}

void Reference::enter(const State& state) {
  if (entered_ == state) return;
  entered_.reset();  // in case the next line throws
  evaluator_.set_state(state.fluents);
  entered_ = state;
}

Reference::State Reference::collect_state(const TupleSet& answers) const {
  State state;
  for (std::uint32_t i = 0; i < answers.size(); ++i) state.fluents.push_back(answers[i][0]);
  std::sort(state.fluents.begin(), state.fluents.end());
  return state;
}

const std::string& Reference::name(TermId term) {
  if (names_.size() <= term) names_.resize(evaluator_.program().terms.size());
  if (names_[term].empty()) names_[term] = print(term);
  return names_[term];
}

std::string Reference::print(TermId term) const {
  const TermStore& terms = evaluator_.program().terms;
  std::string text = evaluator_.program().symbols.name(terms.name(term));
  if (terms.arguments(term).empty()) return text;
  for (const TermId argument : terms.arguments(term)) text += ' ' + print(argument);
  return '(' + text + ')';
}

}  // namespace zermelo::reference
