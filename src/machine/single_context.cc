// Event-driven evaluation. A conjunction stores how many of its inputs are false, so a changed
// input costs one addition, and a conjunction changes only if its count reaches or leaves zero.
// Changed conjunctions wait in a queue for their level, because they may change back until all
// lower levels have settled; each is then processed once. Conjunctions that only appear in a bit
// need no queue: toggling the bit twice has no effect.
//
// A recursive component is a node with its own level. When one of its inputs has changed, its least
// fixpoint is recomputed from false, and the variables that differ flip.

#include "machine/single_context.h"

#include <algorithm>

namespace zermelo::machine {

SingleContext::SingleContext(const StepProgram& program)
    : program_(&program),
      values_(program.start),
      queue_(program.first_of_level.back()),
      queue_end_(program.first_of_level),
      loop_waits_(program.loops.size()) {
  std::size_t largest = 0;
  for (const StepLoop& loop : program.loops) largest = std::max(largest, loop.size());
  scratch_.resize(largest);
}

// Called when inputs of the linked conjunctions become true.
inline void SingleContext::raise(std::uint32_t first, std::uint32_t last) {
  for (; first < last; ++first) {
    const circuit::Node node = program_->links[first];
    if (--values_.nodes[node].false_inputs == 0) wait(node);
  }
}

inline void SingleContext::lower(std::uint32_t first, std::uint32_t last) {
  for (; first < last; ++first) {
    const circuit::Node node = program_->links[first];
    if (values_.nodes[node].false_inputs++ == 0) wait(node);
  }
}

inline void SingleContext::raise_leaves(std::uint32_t first, std::uint32_t last) {
  for (; first < last; ++first) {
    StepValues::Leaf& leaf = values_.leaves[program_->links[first]];
    toggle(leaf.bit, --leaf.false_inputs == 0);
  }
}

inline void SingleContext::lower_leaves(std::uint32_t first, std::uint32_t last) {
  for (; first < last; ++first) {
    StepValues::Leaf& leaf = values_.leaves[program_->links[first]];
    toggle(leaf.bit, leaf.false_inputs++ == 0);
  }
}

inline void SingleContext::wait(circuit::Node node) {
  if (values_.nodes[node].waiting) return;
  values_.nodes[node].waiting = true;
  queue_[queue_end_[program_->nodes[node].level]++] = node;
}

void SingleContext::flip(circuit::Node node) {
  const StepLinks& links = program_->nodes[node];
  const bool value = values_.nodes[node].value = !values_.nodes[node].value;
  if (value) {
    raise(links.readers, links.negated_readers);
    lower(links.negated_readers, links.leaves);
    raise_leaves(links.leaves, links.negated_leaves);
    lower_leaves(links.negated_leaves, links.shown);
  } else {
    lower(links.readers, links.negated_readers);
    raise(links.negated_readers, links.leaves);
    lower_leaves(links.leaves, links.negated_leaves);
    raise_leaves(links.negated_leaves, links.shown);
  }
  for (std::uint32_t i = links.shown; i < links.loops; ++i) toggle(program_->links[i], true);
  if (links.loops != links.end) wait_loops(links.loops, links.end);
}

void SingleContext::wait_loops(std::uint32_t first, std::uint32_t last) {
  for (; first < last; ++first) {
    const std::uint32_t loop = program_->links[first];
    if (loop_waits_[loop]) continue;
    loop_waits_[loop] = 1;
    queue_[queue_end_[program_->loops[loop].level]++] =
        static_cast<std::uint32_t>(program_->nodes.size()) + loop;
  }
}

void SingleContext::settle() {
  const auto nodes = static_cast<std::uint32_t>(program_->nodes.size());
  for (std::size_t level = 1; level + 1 < queue_end_.size(); ++level) {
    const std::uint32_t first = program_->first_of_level[level];
    for (std::uint32_t i = first; i < queue_end_[level]; ++i) {
      if (queue_[i] < nodes) {
        settle_gate(queue_[i]);
      } else {
        settle_loop(queue_[i] - nodes);
      }
    }
    queue_end_[level] = first;
  }
}

void SingleContext::settle_gate(circuit::Node node) {
  StepValues::OfNode& state = values_.nodes[node];
  state.waiting = false;
  if (state.value != (state.false_inputs == 0)) flip(node);
}

void SingleContext::settle_loop(std::uint32_t index) {
  const StepLoop& loop = program_->loops[index];
  loop_waits_[index] = 0;
  solve_loop(loop, values_.nodes, scratch_);
  for (std::size_t i = 0; i < loop.variables.size(); ++i) {
    const circuit::Node variable = loop.variables[i];
    if (values_.nodes[variable].value != (scratch_[i] != 0)) flip(variable);
  }
}

}  // namespace zermelo::machine
