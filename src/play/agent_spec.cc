#include <charconv>
#include <sstream>

#include "base/quantities.h"
#include "play/agent.h"

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

// Estimates are from 0 to 1: beyond this, more explores no more. `nan` is not within it either.
bool read_exploration(const std::string& text, AgentSpec& spec) {
  constexpr double most = 1000;
  return read(text, spec.exploration) && *spec.exploration <= most;
}

bool read_choice(const std::string& text, std::optional<bool>& choice) {
  if (text != "yes" && text != "no") return false;
  choice = text == "yes";
  return true;
}

bool read_uct_option(AgentSpec& spec, const std::string& name, const std::string& value) {
  if (name == "time") return (spec.time = base::parse_duration(value)).has_value();
  if (name == "simulations") return read(value, spec.simulations);
  if (name == "variant") return read_variant(value, spec.variant);
  if (name == "c") return read_exploration(value, spec);
  if (name == "ponder") return read_choice(value, spec.ponder);
  if (name == "proofs") return read_choice(value, spec.proofs);
  if (name == "threads") return read_threads(value, spec);
  if (name == "memory") return (spec.memory_bytes = base::parse_size(value)).has_value();
  if (name == "leaves") return read(value, spec.leaves) && *spec.leaves > 0;
  if (name == "values") return !(spec.folder = value).empty();
  return false;
}

bool read_option(AgentSpec& spec, const std::string& name, const std::string& value) {
  if (spec.kind == AgentSpec::Kind::uct) return read_uct_option(spec, name, value);
  if (spec.kind != AgentSpec::Kind::alpha_beta) return false;
  if (name == "time") return (spec.time = base::parse_duration(value)).has_value();
  if (name == "depth") return read(value, spec.depth) && *spec.depth > 0;
  if (name == "memory") return (spec.memory_bytes = base::parse_size(value)).has_value();
  return false;
}

std::optional<AgentSpec::Kind> kind_of(const std::string& name) {
  using Kind = AgentSpec::Kind;
  if (name == "random") return Kind::random;
  if (name == "legal") return Kind::legal;
  if (name == "uct") return Kind::uct;
  if (name == "alphabeta") return Kind::alpha_beta;
  if (name == "perfect") return Kind::perfect;
  return std::nullopt;
}

}  // namespace

tl::expected<AgentSpec, std::string> parse_agent(const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto kind = kind_of(text.substr(0, colon));
  if (!kind) {
    return tl::unexpected("\"" + text +
                          "\" is no player: random, legal, uct, alphabeta or perfect");
  }
  AgentSpec spec;
  spec.text = text;
  spec.kind = *kind;
  const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (*kind == AgentSpec::Kind::perfect) {
    if (rest.empty()) return tl::unexpected(std::string("perfect needs a folder: perfect:FOLDER"));
    spec.folder = rest;
    return spec;
  }
  for (const std::string& option : split(rest, ',')) {
    const std::size_t equals = option.find('=');
    const std::string value = equals == std::string::npos ? "" : option.substr(equals + 1);
    if (!read_option(spec, option.substr(0, equals), value)) {
      return tl::unexpected("\"" + text + "\": \"" + option + "\" is no option of the player");
    }
  }
  return spec;
}

}  // namespace zermelo::play
