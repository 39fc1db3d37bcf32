#include "translate/toss/static_facts.h"

#include <algorithm>

#include "base/limited_steps.h"
#include "gdl/read_rules.h"
#include "reference/reference.h"

namespace zermelo::translate::toss {
namespace {

std::string printed(const GdlTerm& term, const std::map<std::string, std::string>& values) {
  if (term.is_variable) return values.at(term.name);
  if (term.arguments.empty()) return term.name;
  std::string text = "(" + term.name;
  for (const GdlTerm& argument : term.arguments) text += " " + printed(argument, values);
  return text + ")";
}

// The arguments of "(name a (f b))".
Values arguments_of(const std::string& text) {
  Values result;
  std::size_t depth = 0;
  std::string word;
  for (std::size_t i = text.find(' '); i + 1 < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ' && depth == 0) {
      if (!word.empty()) result.push_back(std::exchange(word, ""));
      continue;
    }
    if (c == '(') ++depth;
    if (c == ')') --depth;
    word += c;
  }
  if (!word.empty()) result.push_back(std::move(word));
  return result;
}

class Join {
 public:
  Join(const StaticFacts& facts, const GdlBody& body, const std::vector<std::string>& outputs,
       const base::Limits& limits)
      : facts_(facts), outputs_(outputs), steps_(limits, "joining facts") {
    for (const GdlLiteral& literal : body) {
      const bool binds = literal.kind == GdlLiteral::Kind::atom && !literal.negated;
      (binds ? positive_ : tests_).push_back(literal);
    }
  }

  std::set<Values> run() {
    extend(0);
    return std::move(result_);
  }

 private:
  void extend(std::size_t next) {
    steps_.take();
    if (next == positive_.size()) {
      const bool holds = std::all_of(tests_.begin(), tests_.end(),
                                     [&](const GdlLiteral& literal) { return passes(literal); });
      if (!holds) return;
      Values values;
      for (const std::string& output : outputs_) values.push_back(values_.at(output));
      result_.insert(std::move(values));
      return;
    }
    const GdlTerm& atom = positive_[next].term;
    if (!facts_.knows(atom.name)) return;
    for (const Values& tuple : facts_.of(atom.name)) {
      if (tuple.size() != atom.arguments.size()) continue;
      std::vector<std::string> bound;
      bool fits = true;
      for (std::size_t i = 0; i < tuple.size() && fits; ++i) {
        const GdlTerm& argument = atom.arguments[i];
        if (argument.is_variable && values_.count(argument.name) == 0) {
          values_[argument.name] = tuple[i];
          bound.push_back(argument.name);
        } else {
          fits = printed(argument, values_) == tuple[i];
        }
      }
      if (fits) extend(next + 1);
      for (const std::string& name : bound) values_.erase(name);
    }
  }

  bool passes(const GdlLiteral& literal) const {
    if (literal.kind == GdlLiteral::Kind::distinct) {
      const bool differ = printed(literal.term.arguments[0], values_) !=
                          printed(literal.term.arguments[1], values_);
      return differ != literal.negated;
    }
    Values tuple;
    for (const GdlTerm& argument : literal.term.arguments) {
      tuple.push_back(printed(argument, values_));
    }
    return facts_.knows(literal.term.name) && facts_.of(literal.term.name).count(tuple) > 0
               ? !literal.negated
               : literal.negated;
  }

  const StaticFacts& facts_;
  const std::vector<std::string>& outputs_;
  base::LimitedSteps steps_;
  GdlBody positive_, tests_;
  std::map<std::string, std::string> values_;
  std::set<Values> result_;
};

// A game of one player whose legal moves are all static facts.
std::string facts_game(const GdlClauses& rules, std::set<std::string>& predicates) {
  std::string text =
      "(role facts.) (init start.) (next start.) (goal facts. 0)\n"
      "(<= terminal (not (true start.)))\n(legal facts. none.)\n";
  const auto is_static = [&](const std::string& name) {
    return !rules.depends_on_state(name) && !rules.depends_on_moves(name);
  };
  static const std::set<std::string> words = {"init", "next", "legal", "goal", "terminal", "sees"};
  for (const auto& [predicate, clauses] : rules.all()) {
    if (words.count(predicate) > 0 || !is_static(predicate) || clauses.empty()) continue;
    predicates.insert(predicate);
    for (const GdlClause& clause : clauses) text += print(clause) + "\n";
    GdlTerm head = clauses.front().head;
    for (std::size_t i = 0; i < head.arguments.size(); ++i) {
      head.arguments[i] = gdl_variable("x" + std::to_string(i));
    }
    GdlTerm move = head;
    move.name = "fact." + predicate;
    text += "(<= (legal facts. " + print(move) + ") " + print(head) + ")\n";
  }
  for (const std::string& role : rules.roles()) text += "(role. " + role + ")\n";
  return text;
}

}  // namespace

base::Result<StaticFacts> StaticFacts::evaluate(const GdlClauses& rules,
                                                const base::Limits& limits) {
  StaticFacts result;
  std::set<std::string> predicates;
  const std::string text = facts_game(rules, predicates);
  const auto source = std::make_shared<const base::Source>("facts", text);
  auto rulesheet = gdl::read_rules(source, limits);
  if (!rulesheet) {
    if (base::is_limit(rulesheet.error().kind)) return tl::unexpected(rulesheet.error());
    return base::fail(base::ErrorKind::not_applicable,
                      "the facts cannot be evaluated alone: " + rulesheet.error().message);
  }
  auto reference = reference::Reference::make(*rulesheet, limits);
  if (!reference) return tl::unexpected(reference.error());
  for (const std::string& predicate : predicates) result.extensions_[predicate];
  return base::within_limits([&] {
    base::LimitedSteps steps(limits, "reading the facts");
    for (const base::Move move : reference->legal_moves(reference->initial_state(), 0)) {
      steps.take();
      const std::string name = reference->move_name(move);
      const std::size_t begin = name.find("fact.");
      if (begin > 1) continue;
      const std::size_t end = name.find_first_of(" )", begin);
      const std::string predicate = name.substr(begin + 5, end - begin - 5);
      result.extensions_[predicate].insert(begin == 0 ? Values() : arguments_of(name));
    }
    return std::move(result);
  });
}

std::set<std::string> StaticFacts::terms() const {
  std::set<std::string> result;
  for (const auto& [predicate, tuples] : extensions_) {
    for (const Values& tuple : tuples) result.insert(tuple.begin(), tuple.end());
  }
  return result;
}

std::set<Values> StaticFacts::answers(const GdlBody& body, const std::vector<std::string>& outputs,
                                      const base::Limits& limits) const {
  return Join(*this, body, outputs, limits).run();
}

bool StaticFacts::determines(const std::string& predicate, const std::vector<bool>& known) const {
  const auto found = extensions_.find(predicate);
  if (found == extensions_.end()) return false;
  std::map<Values, const Values*> seen;
  for (const Values& tuple : found->second) {
    if (tuple.size() != known.size()) return false;
    Values key;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (known[i]) key.push_back(tuple[i]);
    }
    if (!seen.emplace(std::move(key), &tuple).second) return false;
  }
  return true;
}

bool StaticFacts::complement_determines(const std::string& predicate,
                                        const std::vector<bool>& known,
                                        const std::vector<std::set<std::string>>& domains) const {
  constexpr std::size_t max_tuples = 200'000;
  const auto found = extensions_.find(predicate);
  if (found == extensions_.end()) return false;
  std::size_t count = 1;
  for (const std::set<std::string>& domain : domains)
    count *= std::max<std::size_t>(1, domain.size());
  if (count > max_tuples) return false;
  std::set<Values> seen;
  std::vector<Values> tuples = {{}};
  for (const std::set<std::string>& domain : domains) {
    std::vector<Values> longer;
    for (const Values& tuple : tuples) {
      for (const std::string& value : domain) {
        longer.push_back(tuple);
        longer.back().push_back(value);
      }
    }
    tuples = std::move(longer);
  }
  for (const Values& tuple : tuples) {
    if (found->second.count(tuple) > 0) continue;
    Values key;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (known[i]) key.push_back(tuple[i]);
    }
    if (!seen.insert(std::move(key)).second) return false;
  }
  return true;
}

}  // namespace zermelo::translate::toss
