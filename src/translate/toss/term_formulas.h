// Clauses of GDL as formulas in which a variable of GDL stands for an element, its term.
//
// Predicates that depend on the state become defined relations of the same arguments, each the
// fixed point of its clauses, which is evaluated once per structure. Predicates that depend on
// moves have the moves as further arguments.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "translate/toss/gdl_clauses.h"
#include "translate/toss/term_structure.h"

namespace zermelo::translate::toss {

// Which state the formulas are about.
enum class StateView : std::uint8_t {
  stored,   // that of the relation True
  current,  // the one that follows from it by the moves made last
};

// How `does` is expressed.
enum class MoveForm : std::uint8_t {
  arguments,  // the moves of all roles are variables m1, m2, ...
  recorded,   // Last_1(m), Last_2(m), ...: the moves made last
};

// Formulas are texts. Throws NotTranslatable where a restriction is not met.
class TermFormulas {
 public:
  // The arguments must outlive this.
  TermFormulas(const GdlClauses& rules, TermStructure& structure, MoveForm moves);

  // The sentence `terminal`, and that the role has this goal.
  std::string terminal(StateView view);
  std::string goal(StateView view, const std::string& role, const std::string& value);
  // The name of a relation without arguments that is the same.
  std::string goal_relation(StateView view, const std::string& role, const std::string& value);
  // The relation of the moves that `legal` clauses allow the role, also in terminal states.
  std::string legal(StateView view, std::size_t role);
  // That the state term, a variable, holds in the next state; without frame clauses: because of a
  // clause that does not require it to hold now.
  std::string next(const std::string& term, bool with_frames);

  // Adds the line `REL name(parameters) = lfp ...` of a relation that is evaluated once.
  void define(const std::string& name, const std::vector<std::string>& parameters,
              const std::string& body);
  void add_line(const std::string& line) { definitions_ += line + "\n"; }
  const std::string& definitions() const { return definitions_; }
  std::string fresh() { return "v" + std::to_string(variables_++); }

  // "m1, m2, ...", one per role; empty if moves are recorded.
  const std::vector<std::string>& moves() const { return moves_; }
  static std::string last_move(std::size_t role) { return "Last_" + std::to_string(role + 1); }
  static constexpr const char* current = "Now";  // of state terms
  static constexpr const char* joint = "Joint";  // that the moves are legal

 private:
  struct Scope;
  struct Call {
    std::string predicate;
    StateView view;
    auto operator<=>(const Call&) const = default;
  };

  std::string variable_of(const GdlTerm& term, Scope& scope);
  std::vector<std::string> variables_of(const std::vector<GdlTerm>& terms, Scope& scope);
  void bind_head(const GdlTerm& head, const std::string& parameter, Scope& scope);
  void add(const GdlLiteral& literal, Scope& scope);
  void add_equation(const GdlLiteral& literal, Scope& scope);
  void add_does(const GdlLiteral& literal, Scope& scope);
  void add_atom(const GdlLiteral& literal, Scope& scope);
  void add_legal(const GdlLiteral& literal, Scope& scope);
  void add_move(const GdlTerm& move, const std::string& variable, Scope& scope);
  std::string legal_clauses(StateView view, const std::string& role, const std::string& move);
  // The body, and what the scope has already, as a formula.
  std::string finish(const GdlBody& body, Scope scope);
  std::string call(const Call& call, std::vector<std::string> arguments);
  std::string body_of(const Call& call, const std::vector<std::string>& parameters);
  std::string defined(const Call& call, std::size_t arity);
  bool is_state(const std::string& predicate) const;
  bool reaches(const std::string& from, const std::string& to);

  const GdlClauses& rules_;
  TermStructure& structure_;
  MoveForm form_;
  std::vector<std::string> moves_;
  std::map<Call, std::string> defined_;
  std::map<std::pair<StateView, std::size_t>, std::string> legal_;
  std::vector<std::pair<Call, std::string>> open_;  // fixed points around, with their names
  std::map<std::string, std::set<std::string>> reached_;
  std::string definitions_;
  std::size_t variables_ = 0;
  std::size_t size_ = 0;
};

// "f(a, b)"; "(a and b)", "(a or b)", "true" and "false" if there is no part.
std::string applied(const std::string& relation, const std::vector<std::string>& arguments);
std::string all_of(const std::vector<std::string>& parts);
std::string any_of(const std::vector<std::string>& parts);

}  // namespace zermelo::translate::toss
