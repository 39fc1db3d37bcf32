// A ground operator becomes an action with parameters by replacing the objects that its move names.
// Types keep apart what looks alike: in (mark 1 1) the row 1 and the column 1 are different
// objects. Operators that become the same text are one action, and the arguments of their moves are
// its instances. If these are all objects of the types, as in tic-tac-toe, nothing else is needed.
// Otherwise a predicate without rules lists them.
//
// As in the paper, the role that acts is the parameter ?player, and objects that the action adds
// are parameters with an equation: (= ?t x).
#include "translate/gddl/actions.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "gdl/printer.h"

namespace zermelo::translate::gddl {

namespace {

using sas::Condition;
using sas::Cube;
using Texts = std::vector<std::string>;

std::string conjunction(const Texts& parts) {
  if (parts.size() == 1) return parts[0];
  std::string text = "(and";
  for (const std::string& part : parts) text += "\n      " + part;
  return text + ")";
}

std::string spaced(const Texts& parts) {
  std::string text;
  for (const std::string& part : parts) text += " " + part;
  return text;
}

// The text of one operator with parameters.
struct Lifted {
  std::string name;
  std::string parameters;  // behind those of the move: added objects
  Texts precondition, effects;
  std::vector<TypeId> types;  // of the move's arguments
  auto operator<=>(const Lifted&) const = default;
};

class Lifting {
 public:
  Lifting(const MoveSource& source, TypedNames& names, const sas::Operator& made)
      : source_(source),
        names_(names),
        operator_(made),
        move_(names.move(source.joint.moves[*made.move])) {
    for (std::size_t i = 0; i < move_.arguments.size(); ++i) {
      const TypeId type = names.columns(move_.kind)[i];
      words_.try_emplace(names.object(type, move_.arguments[i]), "?x" + std::to_string(i + 1));
    }
    const std::uint32_t actor = source.game.moves[source.joint.moves[*made.move]].role;
    const gdl::Term role{gdl::Term::Kind::constant, source.game.roles[actor], {}, {}};
    role_ = names.object(names.role_type(), role);
    words_.try_emplace(role_, "?player");
  }

  Lifted run() {
    Lifted result{names_.name(move_.kind), "", {}, {}, names_.columns(move_.kind)};
    result.precondition = conditions(operator_.precondition);
    result.precondition.push_back("(= ?player " + role_ + ")");
    name_added(result);
    std::map<Cube, Texts> effects;
    for (const sas::Effect& effect : operator_.effects)
      add_texts(effect, effects[effect.conditions]);
    for (auto& [conditions_of_effect, texts] : effects) {
      std::sort(texts.begin(), texts.end(), [](const std::string& a, const std::string& b) {
        return std::pair(!a.starts_with("(not"), a) < std::pair(!b.starts_with("(not"), b);
      });
      add_effects(conditions(conditions_of_effect), texts, result.effects);
    }
    return result;
  }

  Texts arguments() {
    Texts result;
    for (std::size_t i = 0; i < move_.arguments.size(); ++i)
      result.push_back(names_.object(names_.columns(move_.kind)[i], move_.arguments[i]));
    return result;
  }

 private:
  std::string word(TypeId type, const gdl::Term& term) {
    const std::string& object = names_.object(type, term);
    const auto place = words_.find(object);
    return place == words_.end() ? object : place->second;
  }

  std::string fluent(std::uint32_t variable, std::uint32_t value) {
    const TypedAtom& atom = names_.fluent(source_.encoding.fluents[variable][value]);
    std::string text = "(" + names_.name(atom.kind);
    for (std::size_t i = 0; i < atom.arguments.size(); ++i)
      text += " " + word(names_.columns(atom.kind)[i], atom.arguments[i]);
    return text + ")";
  }

  bool is_fluent(std::uint32_t variable) const { return variable < source_.encoding.variables(); }

  // Where the variable has the value: its fluent holds, or for the value `none` no fluent does.
  std::string value_text(std::uint32_t variable, std::uint32_t value) {
    if (!is_fluent(variable)) {
      const std::string text = source_.derived(variable);
      return value == sas::derived_true ? text : "(not " + text + ")";
    }
    if (value != source_.encoding.none(variable)) return fluent(variable, value);
    Texts all;
    for (std::uint32_t other = 0; other < value; ++other) all.push_back(fluent(variable, other));
    return "(not " + (all.size() == 1 ? all[0] : "(or" + spaced(all) + ")") + ")";
  }

  Texts conditions(const Cube& cube) {
    Texts result;
    for (const Condition& c : cube) {
      const std::string text = value_text(c.variable, c.value);
      result.push_back(c.equal                     ? text
                       : text.starts_with("(not ") ? text.substr(5, text.size() - 6)
                                                   : "(not " + text + ")");
    }
    std::stable_partition(result.begin(), result.end(),
                          [](const std::string& text) { return !text.starts_with("(not"); });
    return result;
  }

  // The new value is added and the old one deleted, or all others where the old one is not known.
  void add_texts(const sas::Effect& effect, Texts& out) {
    auto before = sas::value_in(effect.conditions, effect.variable);
    if (!before) before = sas::value_in(operator_.precondition, effect.variable);
    const std::uint32_t none = source_.encoding.none(effect.variable);
    const std::uint32_t first = before.value_or(0), last = before ? *before + 1 : none;
    source_.steps.take(1 + last - first);
    if (effect.value != none) out.push_back(fluent(effect.variable, effect.value));
    for (std::uint32_t value = first; value < std::min(last, none); ++value) {
      if (value != effect.value) out.push_back("(not " + fluent(effect.variable, value) + ")");
    }
  }

  // Objects of atoms that are added in any case become parameters.
  void name_added(Lifted& result) {
    for (const sas::Effect& effect : operator_.effects) {
      const auto& fluents = source_.encoding.fluents[effect.variable];
      if (!effect.conditions.empty() || effect.value == fluents.size()) continue;
      const TypedAtom& atom = names_.fluent(fluents[effect.value]);
      for (std::size_t i = 0; i < atom.arguments.size(); ++i) {
        const TypeId type = names_.columns(atom.kind)[i];
        const std::string object = names_.object(type, atom.arguments[i]);
        const std::string name = "?y" + std::to_string(++added_);
        if (!words_.try_emplace(object, name).second) {
          --added_;
          continue;
        }
        result.parameters += " " + name + " - " + names_.type_name(type);
        result.precondition.push_back("(= " + name + " " + object + ")");
      }
    }
  }

  static void add_effects(const Texts& conditions, const Texts& effects, Texts& out) {
    if (conditions.empty()) {
      out.insert(out.end(), effects.begin(), effects.end());
    } else {
      out.push_back("(when " + conjunction(conditions) + " " + conjunction(effects) + ")");
    }
  }

  const MoveSource& source_;
  TypedNames& names_;
  const sas::Operator& operator_;
  const TypedAtom& move_;
  std::string role_;
  std::map<std::string, std::string> words_;  // parameters, by object
  int added_ = 0;
};

class ActionWriter {
 public:
  explicit ActionWriter(TypedNames& names) : names_(names) {}

  void write(Lifted action, const std::set<Texts>& instances) {
    std::string parameters = "?player - role";
    std::string listed;
    for (std::size_t i = 0; i < action.types.size(); ++i) {
      const std::string variable = " ?x" + std::to_string(i + 1);
      parameters += variable + " - " + names_.type_name(action.types[i]);
      listed += variable;
    }
    const std::string name = action_names_.unique(action.name);
    if (!is_everything(action.types, instances)) {
      const std::string predicate = names_.fresh_predicate(name + "-arguments");
      declare(predicate, action.types);
      for (const Texts& instance : instances) add_fact(predicate, instance);
      action.precondition.insert(action.precondition.begin(), "(" + predicate + listed + ")");
    }
    texts_.actions += "  (:action " + name + "\n   :parameters (" + parameters + action.parameters +
                      ")\n   :precondition " + conjunction(action.precondition) + "\n   :effect " +
                      conjunction(action.effects) + ")\n";
  }

  ActionTexts take() { return std::move(texts_); }

 private:
  bool is_everything(const std::vector<TypeId>& types, const std::set<Texts>& instances) const {
    std::size_t all = 1;
    for (const TypeId type : types) {
      all *= std::max<std::size_t>(names_.objects(type).size(), 1);
      if (all > instances.size()) return false;
    }
    return all == instances.size();
  }

  void declare(const std::string& predicate, const std::vector<TypeId>& types) {
    texts_.predicates += "\n  (" + predicate;
    for (std::size_t i = 0; i < types.size(); ++i)
      texts_.predicates += " ?x" + std::to_string(i + 1) + " - " + names_.type_name(types[i]);
    texts_.predicates += ")";
  }

  void add_fact(const std::string& predicate, const Texts& instance) {
    texts_.facts.push_back("(" + predicate + spaced(instance) + ")");
  }

  TypedNames& names_;
  pddl::Names action_names_;
  ActionTexts texts_;
};

}  // namespace

std::string atom_text(const TypedAtom& atom, TypedNames& names) {
  std::string text = "(" + names.name(atom.kind);
  for (std::size_t i = 0; i < atom.arguments.size(); ++i)
    text += " " + names.object(names.columns(atom.kind)[i], atom.arguments[i]);
  return text + ")";
}

ActionTexts write_actions(const std::vector<sas::Operator>& operators, const MoveSource& source,
                          TypedNames& names) {
  std::vector<Lifted> order;
  std::map<Lifted, std::set<Texts>> instances;
  for (const sas::Operator& made : operators) {
    Lifting lifting(source, names, made);
    Lifted action = lifting.run();
    std::set<Texts>& known = instances[action];
    if (known.empty()) order.push_back(std::move(action));
    known.insert(lifting.arguments());
  }
  ActionWriter writer(names);
  for (const Lifted& action : order) writer.write(action, instances[action]);
  return writer.take();
}

}  // namespace zermelo::translate::gddl
