#include "support/composed_game.h"

#include <cctype>
#include <set>
#include <vector>

#include "support/load.h"

namespace zermelo::testing {
namespace {

// A term as text: a name, or the parts between parentheses.
struct Tree {
  std::string name;
  std::vector<Tree> parts;

  bool is_list() const { return name.empty(); }
};

class TreeReader {
 public:
  explicit TreeReader(const std::string& text) : text_(text) {}

  bool at_end() {
    skip_space();
    return at_ == text_.size();
  }

  Tree read() {
    skip_space();
    Tree tree;
    if (text_[at_] != '(') {
      while (at_ < text_.size() && !is_separator(text_[at_])) tree.name += text_[at_++];
      return tree;
    }
    ++at_;
    for (skip_space(); text_[at_] != ')'; skip_space()) tree.parts.push_back(read());
    ++at_;
    return tree;
  }

 private:
  static bool is_separator(char c) { return c == '(' || c == ')' || c == ';' || std::isspace(c); }

  void skip_space() {
    while (at_ < text_.size() && (std::isspace(text_[at_]) || text_[at_] == ';')) {
      if (text_[at_] == ';') at_ = std::min(text_.find('\n', at_), text_.size());
      if (at_ < text_.size()) ++at_;
    }
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

std::string text_of(const Tree& tree) {
  if (!tree.is_list()) return tree.name;
  std::string text = "(";
  for (const Tree& part : tree.parts) text += (text.size() > 1 ? " " : "") + text_of(part);
  return text + ")";
}

// Rewrites the rules of one game so that they can stand beside those of the other.
class Wrapped {
 public:
  explicit Wrapped(std::string side) : side_(std::move(side)) {}

  std::string rules(const std::string& text) {
    std::string result;
    for (TreeReader reader(text); !reader.at_end();) {
      const Tree clause = reader.read();
      if (is_call(clause, "role")) {
        role_ = clause.parts[1].name;
        result += "(role_" + side_ + " solo)\n";
      } else {
        result += rewrite(clause) + "\n";
      }
    }
    return result;
  }

 private:
  static bool is_call(const Tree& tree, const std::string& name) {
    return tree.is_list() && !tree.parts.empty() && tree.parts[0].name == name;
  }

  std::string renamed(const std::string& name) const {
    static const std::set<std::string> kept = {"<=", "not", "or", "and", "distinct"};
    if (name == role_) return "solo";
    if (name[0] == '?' || kept.contains(name)) return name;
    return name + "_" + side_;
  }

  // Atoms of the language become atoms of this game.
  std::string rewrite(const Tree& tree) const {
    if (!tree.is_list()) return renamed(tree.name);
    if (is_call(tree, "init")) return "(init (" + side_ + " " + rewrite(tree.parts[1]) + "))";
    if (is_call(tree, "true")) return "(true (" + side_ + " " + rewrite(tree.parts[1]) + "))";
    std::string text = "(";
    for (const Tree& part : tree.parts) text += (text.size() > 1 ? " " : "") + rewrite(part);
    return text + ")";
  }

  const std::string side_;
  std::string role_;
};

// What both compositions need of a game.
std::string goal_rules(const std::string& side) {
  return "(<= (value_" + side + " ?v) (goal_" + side + " solo ?v))\n" + "(<= ended_" + side +
         " terminal_" + side + ")\n";
}

std::string goals() {
  std::string text = "(<= (goal solo ?v) (value_left ?a) (value_right ?b) (mean_value ?a ?b ?v))\n";
  for (int a = 0; a <= 100; ++a) {
    for (int b = 0; b <= 100; ++b) {
      if (a % 5 == 0 && b % 5 == 0) {
        text += "(mean_value " + std::to_string(a) + "_left " + std::to_string(b) + "_right " +
                std::to_string((a + b) / 2) + ")\n";
      }
    }
  }
  return text;
}

// `condition`: when moves of the game are legal, besides its own rules.
std::string interleaved_rules(const std::string& side, const std::string& condition = "") {
  const std::string move = "(" + side + "_move ?m)", fluent = "(" + side + " ?f)";
  return "(<= (legal solo " + move + ") (legal_" + side + " solo ?m) (not ended_" + side + ")" +
         condition + ")\n" + "(<= (does_" + side + " solo ?m) (does solo " + move + "))\n" +  //
         "(<= acts_" + side + " (does_" + side + " ?_r ?_m))\n" +                             //
         "(<= (next " + fluent + ") (next_" + side + " ?f) acts_" + side + ")\n" + "(<= (next " +
         fluent + ") (true " + fluent + ") (not acts_" + side + "))\n";
}

std::string parallel_rules(const std::string& side, const std::string& move) {
  return "(<= (does_" + side + " solo " + move + ") (does solo (both_moves ?m ?n)))\n" +
         "(<= (next (" + side + " ?f)) (next_" + side + " ?f))\n";
}

}  // namespace

std::string compose(const std::string& left, const std::string& right, Composition composition) {
  std::string text = "(role solo)\n" + Wrapped("left").rules(left) + Wrapped("right").rules(right) +
                     goal_rules("left") + goal_rules("right") + goals();
  if (composition != Composition::parallel) {
    const std::string start = composition == Composition::serial ? " ended_left" : "";
    return text + interleaved_rules("left") + interleaved_rules("right", start) +
           "(<= terminal ended_left ended_right)\n";
  }
  return text + parallel_rules("left", "?m") + parallel_rules("right", "?n") +
         "(<= (legal solo (both_moves ?m ?n)) (legal_left solo ?m) (legal_right solo ?n))\n" +
         "(<= terminal ended_left)\n(<= terminal ended_right)\n";
}

}  // namespace zermelo::testing
