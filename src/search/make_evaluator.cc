#include "search/make_evaluator.h"

#include <charconv>
#include <optional>

#include "eval/distance_evaluator.h"
#include "eval/fuzzy_evaluator.h"
#include "eval/linear_evaluator.h"
#include "eval/network/network_evaluator.h"
#include "eval/network/network_file.h"
#include "search/toss_evaluator.h"

namespace zermelo::search {
namespace {

// Removes and returns what comes before the separator, or everything.
std::string_view next_word(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return word;
}

bool read_without(std::string_view names, eval::FuzzyOptions& options) {
  while (!names.empty()) {
    const auto feature = eval::feature_of(next_word(names, '+'));
    if (!feature) return false;
    options.features.reset(eval::index_of(*feature));
  }
  return true;
}

// product, yager, or yager with its parameter: yager1.5.
bool read_norm(std::string_view name, eval::FuzzyOptions& options) {
  if (name == "product") return true;
  if (!name.starts_with("yager")) return false;
  options.logic.norm = eval::FuzzyLogic::Norm::yager;
  name.remove_prefix(5);
  if (name.empty()) return true;
  const auto parsed =
      std::from_chars(name.data(), name.data() + name.size(), options.logic.yager_p);
  return parsed.ec == std::errc() && parsed.ptr == name.data() + name.size() &&
         options.logic.yager_p >= 1 && options.logic.yager_p <= 100;
}

bool read_cardinality(std::string_view name, eval::FuzzyOptions& options) {
  if (name == "disjunction") options.cardinality = eval::CardinalityScale::disjunction;
  return name == "disjunction" || name == "share";
}

// Nothing if the specification is wrong or of another evaluator.
std::optional<eval::FuzzyOptions> fuzzy_options(std::string_view specification) {
  if (next_word(specification, ':') != "fuzzy") return std::nullopt;
  eval::FuzzyOptions options;
  while (!specification.empty()) {
    std::string_view value = next_word(specification, ':');
    const std::string_view name = next_word(value, '=');
    const bool is_right = (name == "without" && read_without(value, options)) ||
                          (name == "norm" && read_norm(value, options)) ||
                          (name == "cardinality" && read_cardinality(value, options));
    if (!is_right) return std::nullopt;
  }
  return options;
}

bool is_network(std::string_view specification) {
  return specification == "network" ||
         (specification.starts_with("network:") && specification != "network:");
}

base::Result<std::shared_ptr<const eval::Evaluator>> make_network(
    const std::shared_ptr<const machine::Machine>& machine, std::string_view specification) {
  next_word(specification, ':');
  auto network = specification.empty() ? eval::network::GameNetwork::make(machine, {.hidden = 0})
                                       : eval::network::open(machine, std::string(specification));
  if (!network) return tl::unexpected(network.error());
  return std::make_shared<const eval::network::NetworkEvaluator>(std::move(*network));
}

}  // namespace

bool is_evaluator(std::string_view name) {
  return needs_playouts(name) || name == "distance" || name == "basic" ||
         fuzzy_options(name).has_value() || is_network(name) || is_toss_evaluator(name);
}

bool needs_playouts(std::string_view name) { return name == "linear" || name == "patterns"; }

base::Result<std::shared_ptr<const eval::Evaluator>> make_evaluator(
    const Simulator& simulator, const EvaluatorRequest& request) {
  if (!is_evaluator(request.name)) {
    return base::fail(
        base::ErrorKind::invalid_request,
        "unknown evaluator \"" + request.name + "\"; expected " + std::string(evaluator_names));
  }
  const auto machine = simulator.machine();
  if (!machine) {
    return base::fail(base::ErrorKind::not_applicable, "the rules are too large for an evaluator");
  }
  if (auto fuzzy = fuzzy_options(request.name)) {
    fuzzy->limits = request.limits;
    return eval::FuzzyEvaluator::make(machine, *fuzzy);
  }
  if (is_network(request.name)) return make_network(machine, request.name);
  if (is_toss_evaluator(request.name)) {
    return make_toss_evaluator(machine, request.name, request.limits);
  }
  if (!needs_playouts(request.name)) {
    return eval::DistanceEvaluator::make(machine, {request.name == "distance", request.limits});
  }
  if (!simulator.sliced()) {
    return base::fail(base::ErrorKind::not_applicable,
                      "the rules are too large for bit-sliced playouts");
  }
  eval::LearningOptions options;
  options.patterns = request.name == "patterns";
  options.seed = request.seed;
  options.limits = request.limits;
  return eval::LinearEvaluator::learn(machine, *simulator.sliced(), options);
}

}  // namespace zermelo::search
