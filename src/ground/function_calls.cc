#include "ground/function_calls.h"

#include <string>

#include "gdl/printer.h"

namespace zermelo::ground {

std::size_t FunctionCalls::CallHash::operator()(const Call& call) const {
  std::uint64_t hash = 0;
  for (const TermId term : call) hash = (hash ^ term) * 0x9e3779b97f4a7c15u + (hash >> 29);
  return hash;
}

std::optional<TermId> FunctionCalls::result(const Program& program, TermTable& terms,
                                            std::uint32_t function,
                                            std::span<const TermId> inputs) {
  call_.assign(1, function);
  call_.insert(call_.end(), inputs.begin(), inputs.end());
  if (const auto known = results_.find(call_); known != results_.end()) return known->second;
  gdl::SymbolTable& symbols = program.extended->symbols;
  std::vector<std::string> texts;
  for (const TermId input : inputs) texts.push_back(gdl::print(terms.term(input), symbols));
  std::optional<TermId> result;
  if (const auto text = gdl::compute(program.functions[function], texts)) {
    result = program.functions[function].has_result() ? terms.constant(symbols.intern(*text)) : 0;
  }
  results_.emplace(call_, result);
  return result;
}

}  // namespace zermelo::ground
