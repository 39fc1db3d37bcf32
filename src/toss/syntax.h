// What the parser reads before names are resolved: the parts of a .toss file with their places.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "toss/formula.h"

namespace zermelo::toss::syntax {

struct Word {
  std::string text;
  base::Span span;
};

struct Tuple {
  std::vector<Word> elements;
  base::Span span;
};

struct Relation {
  Word name;
  std::optional<std::size_t> arity;  // where it is written, as in Q:1
  std::vector<Tuple> tuples;
};

struct Function {
  Word name;
  std::vector<std::pair<Word, double>> values;
};

struct Structure {
  std::vector<Word> elements;
  std::vector<Relation> relations;
  std::vector<Function> functions;
  base::Span span;
};

struct Definition {
  Word name;
  std::vector<Word> parameters;
  FormulaPtr body;
};

struct Rule {
  Word name;
  Structure left, right;
  // Pairs of an element of the right side and one of the left, where `with` gives them.
  std::optional<std::vector<std::pair<Word, Word>>> correspondence;
  std::vector<Word> embedded;
  FormulaPtr pre, post;
};

struct Edge {
  Word rule, target;
};

struct PlayerPart {
  Word player;
  TermPtr payoff;  // null where there is none
  std::vector<Edge> moves;
};

struct Location {
  Word number;
  std::vector<PlayerPart> parts;  // a player may have several, which complete each other
};

struct Game {
  std::vector<Word> players;
  std::vector<Definition> definitions;
  std::vector<Rule> rules;
  std::vector<Location> locations;
  std::optional<Structure> start, model;
  base::Span end;  // of the file, where what is missing is reported
};

}  // namespace zermelo::toss::syntax
