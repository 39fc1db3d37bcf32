#include <fmt/format.h>

#include <charconv>
#include <span>
#include <sstream>

#include "base/quantities.h"
#include "play/agent.h"
#include "search/make_evaluator.h"

namespace zermelo::play {
namespace {

template <class Number>
bool read(const std::string& text, std::optional<Number>& value) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return false;
  value = number;
  return true;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

bool read_variant(const std::string& text, Variant& variant) {
  variant = {};
  if (text == "auto" || text == "plain") return true;
  for (const std::string& word : split(text, '+')) {
    if (word == "st") {
      variant.sufficiency = true;
    } else if (word == "ma") {
      variant.moving_average = true;
    } else if (word == "rave") {
      variant.rave = true;
    } else if (word == "mast") {
      variant.mast = true;
    } else if (word == "rm") {
      variant.regret_matching = true;
    } else {
      return false;
    }
  }
  return !text.empty();
}

bool read_threads(const std::string& text, AgentSpec& spec) {
  std::optional<unsigned> threads;
  if (!read(text, threads) || *threads == 0 || *threads > 1024) return false;
  spec.threads = *threads;
  return true;
}

// Estimates are between 0 and 1, so a larger constant would not change the search. Rejects `nan`.
bool read_exploration(const std::string& text, AgentSpec& spec) {
  constexpr double max_exploration = 1000;
  return read(text, spec.exploration) && *spec.exploration <= max_exploration;
}

bool read_choice(const std::string& text, std::optional<bool>& choice) {
  if (text != "yes" && text != "no") return false;
  choice = text == "yes";
  return true;
}

struct Option {
  std::string_view name;
  std::string_view expected;
  bool (*read)(const std::string& value, AgentSpec& spec);  // returns false for an invalid value
};

bool read_time(const std::string& value, AgentSpec& spec) {
  spec.time = base::parse_duration(value);
  return spec.time && spec.time->count() > 0;
}

bool read_simulations(const std::string& value, AgentSpec& spec) {
  return read(value, spec.simulations) && *spec.simulations > 0;
}

bool read_memory(const std::string& value, AgentSpec& spec) {
  return (spec.memory_bytes = base::parse_size(value)).has_value();
}

bool read_evaluator(const std::string& value, AgentSpec& spec) {
  spec.evaluator = value;
  return search::is_evaluator(value);
}

// The heuristic of a toss agent: a method, or the file of the game that is played.
bool read_heuristic(const std::string& value, AgentSpec& spec) {
  if (value == "auto") {
    spec.evaluator = "toss";
  } else if (value == "existential" || value == "conditions") {
    spec.evaluator = "toss-" + value;
  } else {
    spec.evaluator = "toss@" + value;
  }
  return value == "auto" || value == "existential" || value == "conditions" ||
         value.ends_with(".toss");
}

constexpr std::string_view a_time = "a time such as 0.1s", a_size = "a size such as 100M",
                           a_number = "a positive number", a_choice = "yes or no";

constexpr Option uct_options_by_name[] = {
    {"time", a_time, read_time},
    {"simulations", a_number, read_simulations},
    {"variant", "auto, plain, or a combination of st, ma, rave, mast and rm joined by +",
     [](const std::string& value, AgentSpec& spec) { return read_variant(value, spec.variant); }},
    {"c", "a number from 0 to 1000", read_exploration},
    {"ponder", a_choice,
     [](const std::string& value, AgentSpec& spec) { return read_choice(value, spec.ponder); }},
    {"proofs", a_choice,
     [](const std::string& value, AgentSpec& spec) { return read_choice(value, spec.proofs); }},
    {"tactics", "a number from 0 to 0.9",
     [](const std::string& value, AgentSpec& spec) {
       return read(value, spec.tactics) && *spec.tactics <= 0.9;
     }},
    {"evaluator", search::evaluator_names, read_evaluator},
    {"weight", "a number from 0 to 1",
     [](const std::string& value, AgentSpec& spec) {
       return read(value, spec.evaluator_weight) && *spec.evaluator_weight <= 1;
     }},
    {"threads", "a number from 1 to 1024", read_threads},
    {"memory", a_size, read_memory},
    {"leaves", a_number,
     [](const std::string& value, AgentSpec& spec) {
       return read(value, spec.leaves) && *spec.leaves > 0;
     }},
    {"values", "a folder",
     [](const std::string& value, AgentSpec& spec) { return !(spec.folder = value).empty(); }}};

constexpr Option alpha_beta_options_by_name[] = {
    {"time", a_time, read_time},
    {"depth", a_number,
     [](const std::string& value, AgentSpec& spec) {
       return read(value, spec.depth) && *spec.depth > 0;
     }},
    {"evaluator", search::evaluator_names, read_evaluator},
    {"quiescence", a_choice,
     [](const std::string& value, AgentSpec& spec) {
       std::optional<bool> choice;
       if (!read_choice(value, choice)) return false;
       spec.quiescence = *choice;
       return true;
     }},
    {"heuristic", "auto, existential, conditions or a .toss file", read_heuristic},
    {"memory", a_size, read_memory}};

constexpr Option auto_options_by_name[] = {
    {"time", a_time, read_time},
    {"simulations", a_number, read_simulations},
    {"prepare", a_time,
     [](const std::string& value, AgentSpec& spec) {
       spec.preparation = base::parse_duration(value);
       return spec.preparation && spec.preparation->count() > 0;
     }},
    {"ponder", a_choice,
     [](const std::string& value, AgentSpec& spec) { return read_choice(value, spec.ponder); }},
    {"threads", "a number from 1 to 1024", read_threads},
    {"memory", a_size, read_memory}};

constexpr Option plan_options_by_name[] = {{"time", a_time, read_time},
                                           {"memory", a_size, read_memory}};

constexpr Option hidden_options_by_name[] = {{"time", a_time, read_time},
                                             {"simulations", a_number, read_simulations},
                                             {"c", "a number from 0 to 1000", read_exploration},
                                             {"memory", a_size, read_memory}};

std::span<const Option> options_of(AgentSpec::Kind kind) {
  if (kind == AgentSpec::Kind::automatic) return auto_options_by_name;
  if (kind == AgentSpec::Kind::uct) return uct_options_by_name;
  if (kind == AgentSpec::Kind::alpha_beta) return alpha_beta_options_by_name;
  if (kind == AgentSpec::Kind::plan) return plan_options_by_name;
  if (kind == AgentSpec::Kind::information_sets) return hidden_options_by_name;
  if (kind == AgentSpec::Kind::determinise) return hidden_options_by_name;
  return {};
}

// Returns the error message, or nullopt on success.
std::optional<std::string> read_option(const std::string& text, AgentSpec& spec) {
  const std::string name = text.substr(0, text.find('='));
  const std::string value = name.size() == text.size() ? "" : text.substr(name.size() + 1);
  for (const Option& option : options_of(spec.kind)) {
    if (option.name != name) continue;
    if (option.read(value, spec)) return std::nullopt;
    return fmt::format("{}: expected {}, got \"{}\"", name, option.expected, value);
  }
  return fmt::format("unknown option \"{}\"", name);
}

std::optional<AgentSpec::Kind> kind_of(const std::string& name) {
  using Kind = AgentSpec::Kind;
  if (name == "auto") return Kind::automatic;
  if (name == "random") return Kind::random;
  if (name == "legal") return Kind::legal;
  if (name == "uct") return Kind::uct;
  if (name == "alphabeta" || name == "toss") return Kind::alpha_beta;
  if (name == "plan") return Kind::plan;
  if (name == "perfect") return Kind::perfect;
  if (name == "factored") return Kind::factored;
  if (name == "ismcts") return Kind::information_sets;
  if (name == "determinise") return Kind::determinise;
  return std::nullopt;
}

}  // namespace

tl::expected<AgentSpec, std::string> parse_agent(const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto kind = kind_of(text.substr(0, colon));
  if (!kind) {
    return tl::unexpected("unknown player \"" + text +
                          "\"; expected auto, random, legal, uct, alphabeta, toss, plan, perfect, "
                          "factored, ismcts or "
                          "determinise");
  }
  AgentSpec spec;
  spec.text = text;
  spec.kind = *kind;
  if (text.substr(0, colon) == "toss") spec.evaluator = "toss";
  const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (*kind == AgentSpec::Kind::perfect) {
    if (rest.empty()) return tl::unexpected(std::string("perfect needs a folder: perfect:FOLDER"));
    spec.folder = rest;
    return spec;
  }
  for (const std::string& option : split(rest, ',')) {
    if (const auto problem = read_option(option, spec)) {
      return tl::unexpected(fmt::format("\"{}\": {}", text, *problem));
    }
  }
  return spec;
}

}  // namespace zermelo::play
