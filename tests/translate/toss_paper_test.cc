// The examples of "Translating the Game Description Language to Toss" (Kaiser and Stafiniak, GIGA
// 2011), on the tic-tac-toe of its Figure 3.
#include <gtest/gtest.h>

#include "gdl/read_rules.h"
#include "ground/ground.h"
#include "machine/machine.h"
#include "toss/parser.h"
#include "translate/toss/element_structure.h"
#include "translate/toss/fluent_paths.h"
#include "translate/toss/gdl_clauses.h"
#include "translate/toss/move_clauses.h"

namespace zermelo::translate::toss {
namespace {

const char* const figure_3 = R"(
(role x) (role o)
(init (cell a a b)) (init (cell b a b)) (init (cell c a b))
(init (cell a b b)) (init (cell b b b)) (init (cell c b b))
(init (cell a c b)) (init (cell b c b)) (init (cell c c b))
(init (control x))
(<= (next (control ?r)) (does ?r noop))
(<= (next (cell ?x ?y ?r)) (does ?r (mark ?x ?y)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (does ?r (mark ?x1 ?y1))
    (or (distinct ?x ?x1) (distinct ?y ?y1)))
(<= (legal ?r (mark ?x ?y)) (true (control ?r)) (true (cell ?x ?y b)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (goal ?r 100) (conn3 ?r))
(<= (goal ?r 50) (role ?r) (not exists_line3))
(<= (goal x 0) (conn3 o))
(<= (goal o 0) (conn3 x))
(<= terminal exists_line3)
(<= terminal (not exists_blank))
(<= exists_blank (true (cell ?x ?y b)))
(<= exists_line3 (role ?r) (conn3 ?r))
(<= (conn3 ?r) (or (col ?r) (row ?r) (diag1 ?r) (diag2 ?r)))
(<= (row ?r) (true (cell ?a ?y ?r)) (nextcol ?a ?b) (true (cell ?b ?y ?r)) (nextcol ?b ?c)
    (true (cell ?c ?y ?r)))
(<= (col ?r) (true (cell ?x ?a ?r)) (nextcol ?a ?b) (true (cell ?x ?b ?r)) (nextcol ?b ?c)
    (true (cell ?x ?c ?r)))
(<= (diag1 ?r) (true (cell ?x1 ?y1 ?r)) (nextcol ?x1 ?x2) (nextcol ?y1 ?y2)
    (true (cell ?x2 ?y2 ?r)) (nextcol ?x2 ?x3) (nextcol ?y2 ?y3) (true (cell ?x3 ?y3 ?r)))
(<= (diag2 ?r) (true (cell ?x1 ?y5 ?r)) (nextcol ?x1 ?x2) (nextcol ?y4 ?y5)
    (true (cell ?x2 ?y4 ?r)) (nextcol ?x2 ?x3) (nextcol ?y3 ?y4) (true (cell ?x3 ?y3 ?r)))
(nextcol a b) (nextcol b c)
)";

std::shared_ptr<const gdl::Rulesheet> paper_rules_of(const std::string& text) {
  return gdl::read_rules(std::make_shared<const base::Source>("test.kif", text)).value();
}

// A clause whose predicate has no definition; the parser needs none.
GdlTerm term_of(const std::string& text) {
  const auto rules =
      paper_rules_of("(role r) (init " + text + ") (next x) (legal r m) (goal r 0) terminal");
  for (const gdl::Clause& clause : rules->clauses) {
    if (rules->symbols.name(clause.head.name) == "init") {
      return from_gdl(clause.head.arguments[0], rules->symbols);
    }
  }
  throw std::logic_error("no init");
}

std::set<std::string> printed(const std::set<Path>& paths) {
  std::set<std::string> result;
  for (const Path& path : paths) result.insert(print(path));
  return result;
}

std::set<GdlTerm> all_state_terms(const std::shared_ptr<const gdl::Rulesheet>& rules) {
  std::set<GdlTerm> result;
  const ground::Game game = ground::ground(rules).value();
  for (const gdl::Term& fluent : game.fluents) {
    result.insert(from_gdl(fluent, rules->symbols));
  }
  return result;
}

using PathTexts = std::set<std::string>;

TEST(TossPaper, PathsLeadToSubterms) {
  const GdlTerm term = term_of("(f (g a b) c)");
  EXPECT_EQ(print(*subterm(term, {{"f", 1}, {"g", 2}})), "b");
  EXPECT_EQ(subterm(term_of("(g (f a b) c)"), {{"f", 1}, {"g", 2}}), nullptr);
}

TEST(TossPaper, MergeSetsAreTheDifferences) {
  const GdlTerm b = term_of("(cell 1 2 b)"), x = term_of("(cell 1 2 x)");
  EXPECT_EQ(printed(differing_paths(b, x)), PathTexts{"(cell,3)"});
  EXPECT_EQ(common_size(b, differing_paths(b, x)), 3u);
  EXPECT_TRUE(differing_paths(b, b).empty());
  EXPECT_EQ(printed(differing_paths(b, term_of("(control x)"))), PathTexts{"()"});
}

TEST(TossPaper, Example7FluentPaths) {
  const auto rules = GdlClauses::read(*paper_rules_of(figure_3)).value();
  const std::vector<GdlClause> next = expanded_next_clauses(rules);
  PathTexts heads;
  for (const GdlClause& clause : next) heads.insert(print(clause.head.arguments[0]));
  EXPECT_TRUE(heads.count("(control x)") && heads.count("(control o)"));
  for (const bool guess_frames : {false, true}) {
    EXPECT_EQ(printed(fluent_paths(next, guess_frames)), (PathTexts{"(cell,3)", "(control,1)"}));
  }
}

TEST(TossPaper, Example9ElementsAndMaskPaths) {
  const auto rulesheet = paper_rules_of(figure_3);
  const std::set<GdlTerm> terms = all_state_terms(rulesheet);
  EXPECT_EQ(terms.size(), 29u);  // 27 contents of cells, 2 of control
  const auto rules = GdlClauses::read(*rulesheet).value();
  const std::set<Path> fluent = fluent_paths(expanded_next_clauses(rules), false);
  EXPECT_EQ(printed(mask_paths(terms, fluent)), (PathTexts{"(cell,1)", "(cell,2)"}));
  const std::set<GdlTerm> elements = element_masks(terms, fluent);
  EXPECT_EQ(elements.size(), 10u);
  EXPECT_TRUE(
      elements.count(with_replaced(term_of("(cell a c x)"), fluent, gdl_constant("BLANK"))));
}

// The relation of Example 10 between two cells, or on one.
StableRelation on_cells(const ElementStructure& structure, std::size_t columns) {
  StableRelation result;
  const std::size_t cell = *structure.mask_of(term_of("(cell a a b)"));
  result.masks.assign(columns, cell);
  return result;
}

// The tuples of a relation of the initial structure, as "a,b".
std::set<std::string> tuples_in(const zermelo::toss::Game& game, const std::string& name) {
  std::set<std::string> result;
  for (std::size_t r = 0; r < game.signature.relations.size(); ++r) {
    if (game.signature.relations[r].name != name) continue;
    const auto& tuples = game.start.structure.relation(r);
    for (std::size_t i = 0; i < tuples.size(); ++i) {
      std::string text;
      for (const auto element : tuples[i]) {
        text += (text.empty() ? "" : ",") + game.start.names[element];
      }
      result.insert(text);
    }
  }
  return result;
}

TEST(TossPaper, Example10Relations) {
  const auto rulesheet = paper_rules_of(figure_3);
  const auto rules = GdlClauses::read(*rulesheet).value();
  const auto facts = StaticFacts::evaluate(rules, {}).value();
  const auto machine = machine::Machine::make(ground::ground(rulesheet).value(), {}).value();
  const analysis::MutexGroups groups = analysis::find_mutex_groups(machine);
  auto structure = ElementStructure::make(rules, machine->game(), groups, facts, {}).value();

  StableRelation equal = on_cells(structure, 2);
  equal.equal.insert({{0, 0}, {1, 0}});
  const std::string eq = structure.stable(equal);
  StableRelation next = on_cells(structure, 2);
  const GdlTerm u = gdl_variable("u"), v = gdl_variable("v");
  next.facts.insert({"nextcol",
                     {{GdlLiteral::Kind::atom, false, {"nextcol", false, {u, v}}}},
                     {"u", "v"},
                     {{0, 1}, {1, 1}}});
  const std::string nextcol = structure.stable(next);
  StableRelation anchor = on_cells(structure, 1);
  anchor.constants.insert({{0, 1}, "a"});
  const std::string anch = structure.stable(anchor);
  const std::string mask = structure.stable(on_cells(structure, 1));
  StableRelation of_control = on_cells(structure, 1);
  of_control.masks = {*structure.mask_of(term_of("(control x)"))};
  const std::string control = structure.stable(of_control);

  std::set<GdlTerm> initial;
  for (const ground::Atom fluent : machine->game().initial) {
    initial.insert(from_gdl(machine->game().fluents[fluent], rulesheet->symbols));
  }
  const base::Source source("start.toss", "PLAYERS x\nLOC 0 { PLAYER x { PAYOFF 0 } }\nSTART " +
                                              structure.print(initial) + "\n");
  const auto parsed = zermelo::toss::parse(source);
  ASSERT_FALSE(base::has_errors(parsed.diagnostics));
  const auto tuples = [&](const std::string& name) { return tuples_in(parsed.game, name); };

  std::set<std::string> same_column, successive_rows;
  for (const char* x : {"a", "b", "c"}) {
    for (const char* y : {"a", "b", "c"}) {
      for (const char* z : {"a", "b", "c"}) {
        const std::string prefix = std::string("cell_") + x + "_" + y;
        same_column.insert(prefix + ",cell_" + x + "_" + z);
        if (y[0] + 1 > 'c') continue;
        successive_rows.insert(prefix + ",cell_" + z + "_" + std::string(1, char(y[0] + 1)));
      }
    }
  }
  EXPECT_EQ(tuples(eq), same_column);
  EXPECT_EQ(tuples(nextcol), successive_rows);
  EXPECT_EQ(tuples(anch), (std::set<std::string>{"cell_a_a", "cell_b_a", "cell_c_a"}));
  EXPECT_EQ(tuples(mask).size(), 9u);
  EXPECT_EQ(tuples(control), std::set<std::string>{"control"});
  // Three fluent predicates of cells and two of control. At the start only these two are not empty.
  EXPECT_EQ(structure.fluents(of_control.masks[0]).size(), 2u);
  EXPECT_EQ(structure.fluents(anchor.masks[0]).size(), 3u);
  EXPECT_EQ(tuples(structure.fluent(anchor.masks[0], {"b"})), tuples(mask));
  EXPECT_EQ(tuples(structure.fluent(of_control.masks[0], {"x"})), tuples(control));
  EXPECT_TRUE(tuples(structure.fluent(anchor.masks[0], {"x"})).empty());
}

// Connect Four's clause for blank cells: (cell,2) is no fluent path if the clause is guessed to be
// a frame clause.
TEST(TossPaper, ConnectFourNeedsAGuessedFrame) {
  const std::string clause = R"(
(role r) (init (cell 1 1 b)) (init (cell 1 2 b)) (succ 1 2) (<= (legal r drop) (true (cell 1 1 b)))
(<= (next (cell ?c ?y2 b)) (succ ?y1 ?y2) (true (cell ?c ?y1 b)) (distinct ?y1 6))
(goal r 0) (<= terminal (not (true (cell 1 1 b)))))";
  const auto rules = GdlClauses::read(*paper_rules_of(clause)).value();
  const auto next = expanded_next_clauses(rules);
  EXPECT_EQ(printed(fluent_paths(next, false)), PathTexts{"(cell,2)"});
  EXPECT_TRUE(fluent_paths(next, true).empty());
}

// The clauses of Example 12 with the variables of the paper.
struct Example12 {
  std::vector<GdlClause> legal, next;
};

GdlTerm v(const char* name) { return gdl_variable(name); }
GdlTerm c(const char* name) { return gdl_constant(name); }
GdlTerm f(const char* name, std::vector<GdlTerm> arguments) {
  return {name, false, std::move(arguments)};
}
GdlLiteral does(const char* role, GdlTerm move) {
  return {GdlLiteral::Kind::does, false, f("does", {c(role), std::move(move)})};
}
GdlLiteral distinct(const char* a, const char* b) {
  return {GdlLiteral::Kind::distinct, false, f("distinct", {v(a), v(b)})};
}
GdlLiteral holds(GdlTerm term) { return {GdlLiteral::Kind::truth, false, std::move(term)}; }

// The frame clause N3 has a disjunction and is therefore two clauses here.
Example12 example_12() {
  Example12 result;
  result.legal = {{f("legal", {c("x"), c("noop")}), {}},
                  {f("legal", {c("o"), f("mark", {v("x"), v("y")})}), {}}};
  const GdlTerm cell = f("cell", {v("x3"), v("y3"), v("c")}),
                other = f("cell", {v("x4"), v("y4"), v("d")});
  result.next = {{f("next", {f("control", {c("x")})}), {does("x", c("noop"))}},
                 {f("next", {f("cell", {v("x2"), v("y2"), c("o")})}),
                  {does("o", f("mark", {v("x2"), v("y2")}))}},
                 {f("next", {cell}),
                  {holds(cell), does("o", f("mark", {v("x1"), v("y1")})), distinct("x3", "x1")}},
                 {f("next", {other}),
                  {holds(other), does("o", f("mark", {v("x5"), v("y5")})), distinct("y4", "y5")}},
                 // What does not apply when o marks: the counterparts for the other player.
                 {f("next", {f("control", {c("o")})}), {does("o", c("noop"))}},
                 {f("next", {f("cell", {v("x6"), v("y6"), c("x")})}),
                  {does("x", f("mark", {v("x6"), v("y6")}))}}};
  return result;
}

TEST(TossPaper, Example12DoesFacts) {
  const Example12 example = example_12();
  const std::vector<std::string> roles = {"x", "o"};
  const auto first = does_facts(example.next[0], roles, 1),
             second = does_facts(example.next[1], roles, 2);
  EXPECT_EQ(print(first->moves[0]), "noop");
  EXPECT_EQ(print(first->moves[1]), "?f1_1");
  EXPECT_EQ(print(second->moves[0]), "?f2_0");
  EXPECT_EQ(print(second->moves[1]), "(mark ?x2 ?y2)");
  GdlClause twice = example.next[1];
  twice.body.push_back(does("o", f("mark", {c("a"), v("z")})));
  EXPECT_EQ(print(does_facts(twice, roles, 3)->moves[1]), "(mark a ?z)");
  twice.body.push_back(does("o", c("noop")));
  EXPECT_FALSE(does_facts(twice, roles, 3));
}

TEST(TossPaper, Example13MaximalSetOfClauses) {
  const Example12 example = example_12();
  const MoveClauses chosen = maximal_clauses(example.legal, example.next, {"x", "o"});
  ASSERT_EQ(chosen.next.size(), 4u);
  const GdlTerm move = chosen.legal[1].head.arguments[1];
  for (const GdlClause& clause : {chosen.next[1], chosen.next[2], chosen.next[3]}) {
    for (const GdlLiteral& literal : clause.body) {
      if (literal.kind != GdlLiteral::Kind::does) continue;
      EXPECT_EQ(literal.term.arguments[1], move);
    }
  }
  EXPECT_EQ(chosen.next[1].head.arguments[0].arguments[0], move.arguments[0]);
}

TEST(TossPaper, Example14ErasureClause) {
  const Example12 example = example_12();
  const MoveClauses chosen = maximal_clauses(example.legal, example.next, {"x", "o"});
  std::set<std::string> fixed;
  for (const GdlClause& clause : chosen.legal) collect_variables(clause.head, fixed);
  const auto erasure = erasure_clauses(chosen.next, {{{"cell", 3}}}, fixed);
  ASSERT_TRUE(erasure);
  ASSERT_EQ(erasure->size(), 1u);
  const GdlTerm move = chosen.legal[1].head.arguments[1];
  EXPECT_EQ(print(erasure->front().clause.head),
            "(cell " + print(move.arguments[0]) + " " + print(move.arguments[1]) + " BLANK)");
  EXPECT_TRUE(erasure->front().clause.body.empty());
}

TEST(TossPaper, AClauseThatAlwaysPreservesErasesNothing) {
  const GdlTerm cell = f("cell", {v("x"), v("y")});
  EXPECT_TRUE(erasure_clauses({{f("next", {cell}), {holds(cell)}}}, {}, {})->empty());
}

}  // namespace
}  // namespace zermelo::translate::toss
