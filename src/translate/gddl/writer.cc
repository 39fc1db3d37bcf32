// P. Kissmann, S. Edelkamp: Symbolic Exploration for General Game Playing in PDDL (2007), the part
// "Translation and Extension". The authors translated by hand; this is their translation made
// automatic.
//
// What ends the game and what it is worth are rules of GDL, and translate one to one: `terminal` is
// the goal, `goal` the gains, and the rules that they depend on are derived predicates. Static
// predicates are facts. Types are found by types.h.
//
// Moves are different. GDL says of every fluent when it holds next, a conjunction over fluents; an
// action says what changes, a disjunction over actions. So the actions are found as in the direct
// translation (sas/move_operators.h), move by move on the ground game, and then given parameters
// again (actions.h). Where such an action needs a derived condition, it is a predicate without
// parameters.
//
// No action is restricted to states that are not terminal: in GDDL, states in which the goal holds
// have no successors.
#include "translate/gddl/writer.h"

#include <algorithm>
#include <set>

#include "analysis/mutex_groups.h"
#include "gdl/validity.h"
#include "ground/ground.h"
#include "translate/gddl/actions.h"
#include "translate/gddl/conditions.h"
#include "translate/gddl/joint_moves.h"
#include "translate/gddl/types.h"
#include "translate/sas/move_operators.h"
#include "translate/sas/rule_values.h"

namespace zermelo::translate::gddl {

namespace {

using ground::Game;
using Texts = std::vector<std::string>;
using Groups = std::vector<analysis::MutexGroup>;

class GddlWriter {
 public:
  GddlWriter(const Game& game, const JointGame& joint, const pddl::FlatRules& rules,
             const WriterOptions& options, const Groups& groups, std::vector<bool> can_be_none)
      : game_(game),
        joint_(joint),
        options_(options),
        names_(rules, game),
        rule_conditions_(rules, names_),
        ground_conditions_(game, names_),
        encoding_(joint.game, groups, std::vector<bool>(game.fluents.size(), false),
                  std::move(can_be_none)),
        axioms_(encoding_.domains),
        ignored_(joint.game.atoms, false),
        values_(joint.game, encoding_, axioms_, ignored_, [](ground::Atom) { return ""; }),
        steps_(options.limits, "writing the game") {}

  base::Result<sas::MoveOperators> operators() {
    return sas::make_move_operators(joint_.game, encoding_, axioms_, values_, options_.limits,
                                    sas::WithoutEffects::keep);
  }

  const std::vector<bool>& can_be_none() const { return encoding_.can_be_none; }

  // Throws base::LimitReached at a limit.
  base::Result<std::string> text(const std::vector<sas::Operator>& operators) {
    name_objects();
    const std::string problem = conditions();
    const ActionTexts actions =
        write_actions(operators,
                      {joint_, game_, encoding_,
                       [this](std::uint32_t v) { return derived_condition(v); }, steps_},
                      names_);
    const std::string derived = rule_conditions_.derived() + axiom_texts();
    if (ground_conditions_.problem()) {
      return base::fail(base::ErrorKind::not_applicable,
                        "conditions without derived predicates " + *ground_conditions_.problem());
    }
    const std::string initial = initial_state(actions.facts);
    return domain(derived, actions) + "\n" + "(define (problem game)\n (:domain game)\n" + initial +
           problem + ")\n";
  }

 private:
  // All objects of fluents and moves, so that types are complete before actions look at them.
  void name_objects() {
    const auto name = [&](const TypedAtom& atom) {
      for (const TypeId type : names_.columns(atom.kind)) {
        for (const gdl::Term& term : std::vector<gdl::Term>(names_.terms(type)))
          names_.object(type, term);
      }
    };
    std::set<KindId> kinds;
    for (ground::Atom f = 0; f < game_.fluents.size(); ++f) {
      if (kinds.insert(names_.fluent(f).kind).second) name(names_.fluent(f));
    }
    for (std::uint32_t m = 0; m < game_.moves.size(); ++m) {
      if (kinds.insert(names_.move(m).kind).second) name(names_.move(m));
    }
  }

  std::string conditions() {
    if (options_.keep_derived)
      return " (:goal\n  " + rule_conditions_.terminal() + ")\n" + rule_conditions_.gains();
    std::string text = " (:goal\n  " + ground_conditions_.of(game_.terminal) + ")\n";
    for (std::size_t role = 0; role < game_.roles.size(); ++role) {
      const gdl::Term term{gdl::Term::Kind::constant, game_.roles[role], {}, {}};
      const std::string player = "(= ?player " + names_.object(names_.role_type(), term) + ")";
      for (const Game::Goal& goal : game_.goals[role]) {
        text += " (:gain ?player - role " + std::to_string(goal.value) + "\n  " +
                connected("and", {player, ground_conditions_.of(goal.atom)}) + ")\n";
      }
    }
    return text;
  }

  std::string derived_condition(std::uint32_t variable) {
    if (!options_.keep_derived) return ground_conditions_.of_axiom(axioms_, encoding_, variable);
    const auto [place, is_new] = axiom_names_.try_emplace(variable);
    if (is_new) {
      place->second = names_.fresh_predicate("condition");
      open_axioms_.push_back(variable);
    }
    return "(" + place->second + ")";
  }

  std::string axiom_texts() {
    std::string text;
    while (!open_axioms_.empty()) {
      const std::uint32_t variable = open_axioms_.back();
      open_axioms_.pop_back();
      Texts ways;
      for (const sas::Cube& cube : axioms_.definition(variable - axioms_.first())) {
        steps_.take(1 + cube.size());
        ways.push_back(cube_text(cube));
      }
      text +=
          "  (:derived " + derived_condition(variable) + "\n   " + connected("or", ways) + ")\n";
    }
    return text;
  }

  std::string cube_text(const sas::Cube& cube) {
    Texts parts;
    for (const sas::Condition& c : cube) {
      if (c.variable < encoding_.variables()) {
        parts.push_back(ground_conditions_.of_fluent(encoding_, c));
        continue;
      }
      const std::string text = derived_condition(c.variable);
      parts.push_back(c.equal == (c.value == sas::derived_true) ? text : "(not " + text + ")");
    }
    return connected("and", parts);
  }

  std::string initial_state(const Texts& argument_facts) {
    std::string text = " (:init";
    for (const ground::Atom fluent : game_.initial)
      text += "\n  " + atom_text(names_.fluent(fluent), names_);
    for (const std::string& fact : rule_conditions_.facts()) text += "\n  " + fact;
    for (const std::string& fact : argument_facts) text += "\n  " + fact;
    return text + ")\n";
  }

  // The roles in their order, which is that of all lists of rewards.
  Texts roles() {
    Texts result;
    for (const gdl::Symbol role : game_.roles)
      result.push_back(
          names_.object(names_.role_type(), {gdl::Term::Kind::constant, role, {}, {}}));
    return result;
  }

  std::string constants(TypeId type) {
    Texts objects = names_.objects(type);
    std::string text;
    if (type == names_.role_type()) {
      const Texts players = roles();
      std::erase_if(objects, [&](const std::string& object) {
        return std::count(players.begin(), players.end(), object) > 0;
      });
      text = "\n  " + spaced(players) + " - role";
    }
    return objects.empty() ? text
                           : text + "\n  " + spaced(objects) + " - " + names_.type_name(type);
  }

  static std::string spaced(const Texts& words) {
    std::string text = words[0];
    for (std::size_t i = 1; i < words.size(); ++i) text += " " + words[i];
    return text;
  }

  std::string domain(const std::string& derived, const ActionTexts& actions) {
    std::string text =
        "(define (domain game)\n (:requirements :adl :typing :derived-predicates)\n (:types";
    if (names_.role_type_is_mixed()) text += " role - " + names_.type_name(names_.role_type());
    std::string objects;
    for (TypeId type = 0; type < names_.types(); ++type) {
      if (names_.objects(type).empty()) continue;
      text += " " + names_.type_name(type);
      objects += constants(type);
    }
    text += ")\n (:constants" + objects + ")\n (:predicates" + fluent_predicates() +
            rule_conditions_.predicates() + actions.predicates;
    for (const auto& [variable, name] : axiom_names_) text += "\n  (" + name + ")";
    return text + ")\n" + derived + actions.actions + ")\n";
  }

  std::string fluent_predicates() {
    std::map<KindId, std::string> declared;
    for (ground::Atom fluent = 0; fluent < game_.fluents.size(); ++fluent) {
      const KindId kind = names_.fluent(fluent).kind;
      std::string text = "\n  (" + names_.name(kind);
      for (std::size_t i = 0; i < names_.columns(kind).size(); ++i)
        text += " ?v" + std::to_string(i) + " - " + names_.type_name(names_.columns(kind)[i]);
      declared.try_emplace(kind, text + ")");
    }
    std::string all;
    for (const auto& [kind, text] : declared) all += text;
    return all;
  }

  const Game& game_;
  const JointGame& joint_;
  const WriterOptions& options_;
  TypedNames names_;
  RuleConditions rule_conditions_;
  GroundConditions ground_conditions_;
  sas::Encoding encoding_;
  sas::AxiomTable axioms_;
  std::vector<bool> ignored_;
  sas::RuleValues values_;
  base::LimitedSteps steps_;
  std::map<std::uint32_t, std::string> axiom_names_;  // of those that were asked for
  std::vector<std::uint32_t> open_axioms_;            // asked for, not written
};

base::Result<std::string> written_within_limits(GddlWriter& writer,
                                                const std::vector<sas::Operator>& operators) {
  auto text = base::within_limits([&] { return writer.text(operators); });
  return text ? std::move(*text) : tl::unexpected(text.error());
}

}  // namespace

base::Result<std::string> to_gddl(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                                  const WriterOptions& options) {
  if (gdl::uses_imperfect_information(*rulesheet)) {
    return base::fail(base::ErrorKind::not_applicable,
                      "the game has chance or hidden information (GDL-II), which GDDL does not "
                      "have");
  }
  const auto game = ground::ground(rulesheet, {options.limits});
  if (!game) return tl::unexpected(game.error());
  const auto joint = join_moves(*game, options.limits);
  if (!joint) return tl::unexpected(joint.error());
  const auto rules = pddl::flatten(std::move(rulesheet), options.limits);
  if (!rules) return tl::unexpected(rules.error());
  const Groups groups = analysis::find_mutex_groups_by_rules(*game, options.limits);
  std::vector<bool> can_be_none;
  while (true) {  // as in the direct translation: until no assumption is refuted
    GddlWriter writer(*game, *joint, *rules, options, groups, can_be_none);
    const auto made = writer.operators();
    if (!made) return tl::unexpected(made.error());
    if (std::count(made->needs_none.begin(), made->needs_none.end(), true) == 0)
      return written_within_limits(writer, made->operators);
    can_be_none = writer.can_be_none();
    for (std::size_t v = 0; v < can_be_none.size(); ++v)
      can_be_none[v] = can_be_none[v] || made->needs_none[v];
  }
}

}  // namespace zermelo::translate::gddl
