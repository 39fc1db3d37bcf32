// From GDDL (P. Kissmann, S. Edelkamp: Symbolic Exploration for General Game Playing in PDDL, 2007)
// to GDL.
//
// Predicates that some effect names are fluents. An action a becomes the moves (a arguments) of its
// parameter ?player. It is legal where its precondition holds; where a role has no action, it does
// nothing. PDDL says what an action changes, so frame rules are added: a fluent holds next if an
// effect adds it, or if it holds and no effect deletes it.
//
// GDL has neither quantifiers nor equations. A disjunction, a negated formula of several parts and
// a universal quantifier become auxiliary predicates, whose arguments are the variables they share
// with their context. Every variable of a type T is bound by (type.T ?x). An equation is
// (same. ?x ?y), a predicate that holds for every object with itself. Names with a dot cannot clash
// with those of the file.
#include "translate/gddl/reader.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "translate/gddl/description.h"

namespace zermelo::translate::gddl {

namespace {

using Texts = std::vector<std::string>;

const std::set<std::string> gdl_words = {"role",     "init", "true",  "next", "does",
                                         "legal",    "goal", "not",   "or",   "terminal",
                                         "distinct", "base", "input", "sees"};

const char* const never = "(distinct 0 0)";

std::string joined(const std::string& first, const Texts& rest) {
  if (rest.empty()) return first;
  std::string text = "(" + first;
  for (const std::string& word : rest) text += " " + word;
  return text + ")";
}

struct Variable {
  std::string name;   // in the rules
  std::string guard;  // (type.row ?x)
};

using Scope = std::map<std::string, Variable>;  // by name in the file

class KifWriter {
 public:
  KifWriter(const base::Source& source, const Description& game) : source_(source), game_(game) {}

  base::Result<std::string> run() {
    find_types();
    find_fluents();
    write_objects();
    write_initial();
    for (const DerivedPredicate& derived : game_.derived) write_derived(derived);
    for (const ActionSchema& action : game_.actions) write_action(action);
    write_frames();
    if (roles_.size() > 1) rule(joined("legal", {"?r", idle_}), {"(role ?r)", "(not (acts. ?r))"});
    write_rules("terminal", {}, {}, game_.goals[0]);
    for (const Gain& gain : game_.gains) write_gain(gain);
    if (error_) return tl::unexpected(std::move(*error_));
    return std::move(text_);
  }

 private:
  std::string fail(base::Span span, const std::string& message) {
    if (!error_) error_ = error_at(source_, span, message);
    return "";
  }

  void rule(const std::string& head, const Texts& body) {
    text_ += body.empty() ? head : "(<= " + head;
    for (const std::string& literal : body) text_ += "\n    " + literal;
    text_ += body.empty() ? "\n" : ")\n";
  }

  // The types that an object has, itself included.
  std::vector<std::string> ancestors(const TypedName& object) {
    std::vector<std::string> result;
    for (std::string type = object.type; type != "object";) {
      if (std::count(result.begin(), result.end(), type) > 0) {
        fail(object.span, "the type " + type + " is its own parent");
        break;
      }
      result.push_back(type);
      const auto parent = game_.parent_of.find(type);
      type = parent == game_.parent_of.end() ? "object" : parent->second;
    }
    result.push_back("object");
    return result;
  }

  void find_types() {
    for (const TypedName& object : game_.objects) {
      objects_.insert(object.name);
      for (const std::string& type : ancestors(object)) {
        types_.insert(type);
        if (type == "role") roles_.push_back(object.name);
      }
    }
    if (roles_.empty()) roles_.push_back("player");
    const bool is_taken =
        std::any_of(game_.actions.begin(), game_.actions.end(),
                    [](const ActionSchema& action) { return action.name == "noop"; });
    idle_ = is_taken ? "noop." : "noop";
  }

  void find_fluents() {
    for (const ActionSchema& action : game_.actions) find_fluents(action.effect);
    for (const DerivedPredicate& derived : game_.derived) derived_.insert(derived.name);
    for (const Expression& fact : game_.initial) {
      if (fact.is_list && !fact.items.empty() && fact.items[0].word != "=")
        stated_.insert(fact.items[0].word);
    }
  }

  void find_fluents(const Expression& effect) {
    if (!effect.is_list || effect.items.empty() || effect.is("increase")) return;
    const bool is_quantified = effect.is("forall") || effect.is("when");
    if (is_quantified || effect.is("and") || effect.is("not")) {
      for (std::size_t i = is_quantified ? 2 : 1; i < effect.items.size(); ++i)
        find_fluents(effect.items[i]);
    } else if (fluents_.insert(effect.items[0].word).second) {
      arity_[effect.items[0].word] = effect.items.size() - 1;
    }
  }

  void write_objects() {
    for (const std::string& role : roles_) rule(joined("role", {role}), {});
    for (const TypedName& object : game_.objects) {
      for (const std::string& type : ancestors(object)) {
        if (type != "role") rule(joined("type." + type, {object.name}), {});
      }
      rule(joined("same.", {object.name, object.name}), {});
    }
  }

  void write_initial() {
    for (const Expression& fact : game_.initial) {
      if (fact.is("=")) continue;  // costs
      const std::string atom = predicate(fact, {});
      rule(is_fluent(fact) ? joined("init", {atom}) : atom, {});
    }
  }

  bool can_hold(const std::string& name) const {
    return fluents_.contains(name) || derived_.contains(name) || stated_.contains(name);
  }

  bool is_fluent(const Expression& atom) const { return fluents_.contains(atom.items[0].word); }

  // The atom without the keyword `true`.
  std::string predicate(const Expression& atom, const Scope& scope) {
    if (!atom.is_list || atom.items.empty() || atom.items[0].is_list)
      return fail(atom.span, "expected (predicate arguments)");
    const std::string& name = atom.items[0].word;
    if (!can_hold(name) && !game_.predicates.contains(name))
      return fail(atom.span, "nothing makes the predicate " + name + " true");
    if (arity_.try_emplace(name, atom.items.size() - 1).first->second != atom.items.size() - 1)
      return fail(atom.span,
                  "the predicate " + name + " has another number of arguments elsewhere");
    Texts arguments;
    for (std::size_t i = 1; i < atom.items.size(); ++i)
      arguments.push_back(argument(atom.items[i], scope));
    return joined(rule_name(name), arguments);
  }

  static std::string rule_name(const std::string& name) {
    return gdl_words.contains(name) ? name + "." : name;
  }

  std::string argument(const Expression& word, const Scope& scope) {
    const auto variable = scope.find(word.word);
    if (variable != scope.end()) return variable->second.name;
    if (objects_.contains(word.word)) return word.word;
    return fail(word.span, "there is no object or variable " + word.word + " here");
  }

  std::string atom(const Expression& expression, const Scope& scope) {
    const std::string text = predicate(expression, scope);
    return !error_ && is_fluent(expression) ? joined("true", {text}) : text;
  }

  // Adds variables to a scope; returns what binds them.
  Texts declare(const std::vector<TypedName>& names, Scope& scope) {
    Texts guards;
    for (const TypedName& name : names) {
      if (!types_.contains(name.type))
        fail(name.span, "there is no object of the type " + name.type);
      std::string text = name.name;
      while (!used_.insert(text).second) text = name.name + "." + std::to_string(++fresh_);
      const std::string type = name.type == "role" ? "role" : "type." + name.type;
      scope[name.name] = {text, joined(type, {text})};
      guards.push_back(scope[name.name].guard);
    }
    return guards;
  }

  void add(const Expression& formula, bool holds, Scope scope, Texts& body) {
    const std::string word = formula.is_list && !formula.items.empty() ? formula.items[0].word : "";
    const std::size_t parts = formula.items.empty() ? 0 : formula.items.size() - 1;
    if (formula.is_list && formula.items.empty()) {
      if (!holds) body.push_back(never);
    } else if (word == "not" && parts == 1) {
      add(formula.items[1], !holds, std::move(scope), body);
    } else if (word == (holds ? "and" : "or")) {
      for (std::size_t i = 1; i <= parts; ++i) add(formula.items[i], holds, scope, body);
    } else if (word == "=" && parts == 2) {
      body.push_back(joined(holds ? "same." : "distinct", {argument(formula.items[1], scope),
                                                           argument(formula.items[2], scope)}));
    } else if (word == (holds ? "exists" : "forall") && parts == 2) {
      add_quantified(formula, holds, std::move(scope), body);
    } else if (word == "imply" && parts == 2 && !holds) {
      add(formula.items[1], true, scope, body);
      add(formula.items[2], false, scope, body);
    } else if (is_connective(word)) {
      const std::string auxiliary = add_auxiliary(formula, scope);
      body.push_back(holds ? auxiliary : "(not " + auxiliary + ")");
    } else {
      const std::string text = atom(formula, scope);
      if (!error_ && !can_hold(word)) {
        if (holds) body.push_back(never);
        return;
      }
      body.push_back(holds ? text : "(not " + text + ")");
    }
  }

  static bool is_connective(const std::string& word) {
    return word == "and" || word == "or" || word == "exists" || word == "forall" || word == "imply";
  }

  void add_quantified(const Expression& formula, bool holds, Scope scope, Texts& body) {
    const auto names =
        read_typed_list(source_, formula.items[1].items, 0, formula.items[1].items.size());
    if (!names) {
      error_ = error_ ? error_ : names.error();
      return;
    }
    const Texts guards = declare(*names, scope);
    body.insert(body.end(), guards.begin(), guards.end());
    add(formula.items[2], holds, std::move(scope), body);
  }

  void collect(const Expression& formula, const Scope& scope, std::set<std::string>& found) const {
    if (scope.contains(formula.word)) found.insert(formula.word);
    for (const Expression& item : formula.items) collect(item, scope, found);
  }

  // An atom that holds where the formula does. A universal quantifier is the negation of one that
  // says where it fails.
  std::string add_auxiliary(const Expression& formula, const Scope& scope) {
    std::set<std::string> shared;
    collect(formula, scope, shared);
    Texts arguments, guards;
    for (const std::string& name : shared) {
      arguments.push_back(scope.at(name).name);
      guards.push_back(scope.at(name).guard);
    }
    const std::string head = joined("aux." + std::to_string(++auxiliaries_), arguments);
    const auto define = [&](const Expression& part, bool holds) {
      Texts body = guards;
      add(part, holds, scope, body);
      rule(head, body);
    };
    if (formula.is("forall")) {
      const std::string fails = joined("fails." + std::to_string(auxiliaries_), arguments);
      Texts body = guards;
      add_quantified(formula, false, scope, body);
      rule(fails, body);
      guards.push_back("(not " + fails + ")");
      rule(head, guards);
    } else if (formula.is("or")) {
      for (std::size_t i = 1; i < formula.items.size(); ++i) define(formula.items[i], true);
    } else if (formula.is("imply") && formula.items.size() == 3) {
      define(formula.items[1], false);
      define(formula.items[2], true);
    } else if ((formula.is("exists") && formula.items.size() == 3) || formula.is("and")) {
      define(formula, true);
    } else {
      fail(formula.span, "this formula is not understood");
    }
    return head;
  }

  // One rule for each part of a disjunction.
  void write_rules(const std::string& head, const Texts& guards, const Scope& scope,
                   const Expression& formula) {
    if (formula.is("or")) {
      for (std::size_t i = 1; i < formula.items.size(); ++i)
        write_rules(head, guards, scope, formula.items[i]);
      return;
    }
    Texts body = guards;
    add(formula, true, scope, body);
    rule(head, body);
  }

  void write_derived(const DerivedPredicate& derived) {
    used_.clear();
    Scope scope;
    const Texts guards = declare(derived.parameters, scope);
    if (arity_.try_emplace(derived.name, guards.size()).first->second != guards.size() ||
        fluents_.contains(derived.name)) {
      fail(derived.body.span, "the derived predicate " + derived.name +
                                  " has effects, or another number of arguments elsewhere");
    }
    Texts arguments;
    for (const TypedName& name : derived.parameters) arguments.push_back(scope[name.name].name);
    write_rules(joined(rule_name(derived.name), arguments), guards, scope, derived.body);
  }

  // The role that acts, and the other parameters as the arguments of the move.
  std::string actor(const ActionSchema& action, const Scope& scope, Texts& arguments) {
    std::string role = roles_[0];
    bool is_named = roles_.size() == 1;
    for (const TypedName& name : action.parameters) {
      const std::string& text = scope.at(name.name).name;
      if (name.name == "?player" && name.type == "role") {
        role = text;
        is_named = true;
      } else {
        arguments.push_back(text);
      }
    }
    if (!is_named) fail(action.span, "in a game of several roles an action needs ?player - role");
    return role;
  }

  void write_action(const ActionSchema& action) {
    used_.clear();
    Scope scope;
    Texts body = declare(action.parameters, scope), arguments;
    const std::string role = actor(action, scope, arguments);
    Texts all = {role};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const std::string can = joined("can." + std::to_string(++actions_), all);
    const std::string move = joined(action.name, arguments);
    add(action.precondition, true, scope, body);
    rule(can, body);
    rule(joined("legal", {role, move}), {can});
    if (roles_.size() > 1) rule(joined("acts.", {role}), {can});
    write_effect(action.effect, scope, {joined("does", {role, move})});
  }

  void write_effect(const Expression& effect, Scope scope, Texts body) {
    if ((effect.is_list && effect.items.empty()) || effect.is("increase")) return;
    if (effect.is("and")) {
      for (std::size_t i = 1; i < effect.items.size(); ++i)
        write_effect(effect.items[i], scope, body);
    } else if (effect.is("forall") && effect.items.size() == 3) {
      const auto names =
          read_typed_list(source_, effect.items[1].items, 0, effect.items[1].items.size());
      if (!names) {
        error_ = error_ ? error_ : names.error();
        return;
      }
      const Texts guards = declare(*names, scope);
      body.insert(body.end(), guards.begin(), guards.end());
      write_effect(effect.items[2], std::move(scope), std::move(body));
    } else if (effect.is("when") && effect.items.size() == 3) {
      add(effect.items[1], true, scope, body);
      write_effect(effect.items[2], std::move(scope), std::move(body));
    } else if (effect.is("not") && effect.items.size() == 2) {
      const std::string text = predicate(effect.items[1], scope);
      if (error_) return;
      deleted_.insert(effect.items[1].items[0].word);
      rule(joined("deleted.", {text}), body);
    } else {
      rule(joined("next", {predicate(effect, scope)}), body);
    }
  }

  void write_frames() {
    for (const std::string& name : fluents_) {
      Texts arguments;
      for (std::size_t i = 0; i < arity_[name]; ++i) arguments.push_back("?x" + std::to_string(i));
      const std::string fluent = joined(rule_name(name), arguments);
      Texts body = {joined("true", {fluent})};
      if (deleted_.contains(name)) body.push_back("(not " + joined("deleted.", {fluent}) + ")");
      rule(joined("next", {fluent}), body);
    }
  }

  void write_gain(const Gain& gain) {
    used_.clear();
    Scope scope;
    const Texts guards = declare(gain.parameters, scope);
    std::string role = roles_[0];
    bool is_named = roles_.size() == 1;
    for (auto name = gain.parameters.rbegin(); name != gain.parameters.rend(); ++name) {
      if (name->type != "role") continue;
      role = scope[name->name].name;
      is_named = true;
    }
    if (!is_named) fail(gain.body.span, "in a game of several roles a gain needs ?player - role");
    write_rules(joined("goal", {role, std::to_string(gain.value)}), guards, scope, gain.body);
  }

  const base::Source& source_;
  const Description& game_;
  std::set<std::string> objects_, types_, fluents_, derived_, stated_, deleted_;
  std::map<std::string, std::size_t> arity_;  // by predicate
  Texts roles_;
  std::string idle_;            // the move of a role that has no action
  std::set<std::string> used_;  // names of variables in the current rule and its auxiliaries
  int fresh_ = 0, auxiliaries_ = 0, actions_ = 0;
  std::string text_;
  std::optional<base::Error> error_;
};

}  // namespace

base::Result<std::string> to_kif(const base::Source& source) {
  const auto description = read_description(source);
  if (!description) return tl::unexpected(description.error());
  return KifWriter(source, *description).run();
}

}  // namespace zermelo::translate::gddl
