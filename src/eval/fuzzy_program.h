// Formulas of fuzzy logic over the planes of up to 64 states.
//
// A leaf reads planes, an inner node reads nodes before it. All nodes are evaluated in one pass,
// each for all states of the block, so the program's cost is shared by the states.
//
//   FuzzyProgram program({});
//   const auto row = program.add(Connective::all, {program.add_fluent(f), program.add_fluent(g)});
//   program.evaluate(planes, degrees);
//   degrees[row * states_per_block + s];
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eval/bit_planes.h"
#include "eval/evaluator.h"
#include "eval/fuzzy_logic.h"

namespace zermelo::eval {

using Plane = std::uint32_t;

// The largest value of a plane that holds, or `otherwise`.
struct LevelTable {
  struct Level {
    float value;
    std::vector<Plane> planes;
    bool operator==(const Level&) const = default;
  };

  std::vector<Level> levels;  // descending values, each larger than `otherwise`
  float otherwise = 0;

  bool operator==(const LevelTable&) const = default;
};

// Sorts values of planes into levels, at most 250: beyond that, some values are rounded down to the
// next one. Planes whose value is not larger than `otherwise` are left out.
LevelTable make_level_table(const std::vector<std::pair<Plane, float>>& values, float otherwise);

class FuzzyProgram {
 public:
  using Node = std::uint32_t;
  enum class Connective : std::uint8_t { all, any, negation };

  // What a node stands for, for people.
  struct Label {
    std::string name;
    std::string kind;
  };

  explicit FuzzyProgram(const FuzzyLogic& logic) : logic_(logic) {}

  const FuzzyLogic& logic() const { return logic_; }
  std::size_t size() const { return nodes_.size(); }
  const Label& label(Node node) const { return labels_[node]; }

  Node add_constant(float value, Label label);
  // The smallest of the values in one or more tables.
  Node add_levels(std::vector<LevelTable> tables, Label label);
  // by_count[n] if n of the planes hold.
  Node add_count(std::vector<Plane> planes, std::vector<float> by_count, Label label);
  // `base`, plus the weights of the planes that hold, from 0 to 1.
  Node add_sum(float base, std::vector<std::pair<Plane, float>> weights, Label label);
  // The largest value of a pair of planes that both hold, or 0. values[i * second.size() + j].
  Node add_pairs(std::vector<Plane> first, std::vector<Plane> second, std::vector<float> values,
                 Label label);
  // A negation has one child.
  Node add(Connective connective, const std::vector<Node>& children, Label label);

  // The planes that the leaves read, with repetitions.
  std::vector<Plane> planes() const;
  // Sets degrees[node * states_per_block + state]. Resizes `degrees` as needed.
  void evaluate(const BitPlanes& planes, std::vector<float>& degrees) const;

  // A node with what it is made of, for the first state. Shared nodes are repeated; at most
  // `max_parts` parts, those nearest to the node.
  EvaluationPart explain(Node node, const std::vector<float>& degrees,
                         std::size_t max_parts = 2'000) const;

 private:
  enum class Kind : std::uint8_t { constant, levels, count, sum, pairs, all, any, negation };
  struct Part {
    Kind kind;
    std::uint32_t first, last;  // children, or `first` is the index of the leaf
  };
  struct Count {
    std::vector<Plane> planes;
    std::vector<float> by_count;
  };
  struct Sum {
    float base;
    std::vector<std::pair<Plane, float>> weights;
  };
  struct Pairs {
    std::vector<Plane> first, second;
    std::vector<float> values;
  };

  Node push(Part part, Label label);
  void evaluate_levels(const std::vector<LevelTable>& tables, const BitPlanes& planes,
                       float* out) const;
  void evaluate_count(const Count& count, const BitPlanes& planes, float* out) const;
  void evaluate_sum(const Sum& sum, const BitPlanes& planes, float* out) const;
  void evaluate_pairs(const Pairs& pairs, const BitPlanes& planes, float* out) const;
  void evaluate_product(const Part& part, const std::vector<float>& degrees, std::size_t states,
                        float* out) const;
  void evaluate_yager(const Part& part, const std::vector<float>& degrees, std::size_t states,
                      float* out) const;

  FuzzyLogic logic_;
  std::vector<Part> nodes_;
  std::vector<Label> labels_;  // by node
  std::vector<Node> children_;
  std::vector<float> constants_;
  std::vector<std::vector<LevelTable>> levels_;
  std::vector<Count> counts_;
  std::vector<Sum> sums_;
  std::vector<Pairs> pairs_;
};

}  // namespace zermelo::eval
