#include "know/model.h"

#include <algorithm>
#include <set>

#include "gdl/read_rules.h"
#include "gdl/term_text.h"

namespace zermelo::know {

namespace {

base::Result<void> check_names(const std::vector<std::string>& names, const std::string& kind) {
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (!gdl::canonical_term(name))
      return base::fail(base::ErrorKind::invalid_rules, kind + " \"" + name + "\" is not a term");
    if (!seen.insert(*gdl::canonical_term(name)).second)
      return base::fail(base::ErrorKind::invalid_rules, kind + " \"" + name + "\" occurs twice");
  }
  if (!names.empty()) return {};
  return base::fail(base::ErrorKind::invalid_rules, "the model has no " + kind);
}

base::Result<void> check_model(const Model& model) {
  if (const auto worlds = check_names(model.worlds, "world"); !worlds) return worlds;
  if (const auto agents = check_names(model.agents, "agent"); !agents) return agents;
  for (const std::string& agent : model.agents) {
    if (gdl::canonical_term(agent) == "random")
      return base::fail(base::ErrorKind::invalid_rules, "an agent cannot be called random");
  }
  for (const auto& atoms : model.valuation) {
    for (const std::string& atom : atoms) {
      if (!gdl::canonical_term(atom))
        return base::fail(base::ErrorKind::invalid_rules, "atom \"" + atom + "\" is not a term");
    }
  }
  return {};
}

// A name that no atom of the model begins with.
std::string unused_fluent(const Model& model) {
  std::string name = "step";
  const auto begins = [&](const std::string& atom) {
    const std::string term = *gdl::canonical_term(atom);
    return term == name || term.rfind("(" + name + " ", 0) == 0;
  };
  const auto is_used = [&] {
    return std::any_of(model.valuation.begin(), model.valuation.end(), [&](const auto& atoms) {
      return std::any_of(atoms.begin(), atoms.end(), begins);
    });
  };
  while (is_used()) name += "_";
  return name;
}

std::string model_rules(const Model& model) {
  const std::string start = "(" + unused_fluent(model) + " 0)";
  std::string text = "; random selects a world; the agents see which worlds are possible.\n";
  for (const std::string& agent : model.agents) text += "(role " + agent + ")\n";
  text += "(role random)\n(init " + start + ")\n";
  text += "(<= (legal random (select ?world))\n    (true " + start + ")\n    (world ?world))\n";
  text += "(<= (legal ?agent noop)\n    (true " + start +
          ")\n    (role ?agent)\n    (distinct ?agent random))\n";
  text += "(<= (next ?atom)\n    (does random (select ?world))\n    (holds ?world ?atom))\n";
  text +=
      "(<= (sees ?agent (class ?other))\n    (does random (select ?world))\n"
      "    (equivalent ?agent ?world ?other))\n";
  text += "(<= terminal\n    (not (true " + start + ")))\n";
  text += "(<= (goal ?agent 100)\n    (role ?agent)\n    (distinct ?agent random))\n";
  for (const std::string& world : model.worlds) text += "(world " + world + ")\n";
  for (std::size_t w = 0; w < model.worlds.size(); ++w) {
    for (const std::string& atom : model.valuation[w])
      text += "(holds " + model.worlds[w] + " " + atom + ")\n";
  }
  for (std::size_t a = 0; a < model.agents.size(); ++a) {
    for (std::size_t v = 0; v < model.worlds.size(); ++v) {
      for (std::size_t w = 0; w < model.worlds.size(); ++w) {
        if (model.class_of[a][v] == model.class_of[a][w]) {
          text += "(equivalent " + model.agents[a] + " " + model.worlds[v] + " " + model.worlds[w] +
                  ")\n";
        }
      }
    }
  }
  return text;
}

std::string joined(const std::vector<std::string>& parts, const char* separator) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : separator) + part;
  return text;
}

// The propositions of a knowledge structure: one per atom, then the bits of each agent's class.
class KnowledgeStructure {
 public:
  explicit KnowledgeStructure(const Model& model) : model_(model) {
    std::set<std::string> atoms;
    for (const auto& held : model.valuation) atoms.insert(held.begin(), held.end());
    atoms_.assign(atoms.begin(), atoms.end());
    std::size_t next = atoms_.size();
    for (const auto& classes : model.class_of) {
      first_bit_.push_back(next);
      next += bits_for(classes);
    }
    first_bit_.push_back(next);
  }

  std::string text() const {
    std::string text;
    for (std::size_t a = 0; a < atoms_.size(); ++a)
      text += "-- " + variable(a) + ": " + atoms_[a] + "\n";
    std::vector<std::string> variables;
    for (std::size_t v = 0; v < first_bit_.back(); ++v) variables.push_back(variable(v));
    text += "VARS " + joined(variables, ",") + "\nLAW " + law() + "\nOBS";
    for (std::size_t a = 0; a < model_.agents.size(); ++a) {
      const std::vector<std::string> seen(
          variables.begin() + static_cast<std::ptrdiff_t>(first_bit_[a]),
          variables.begin() + static_cast<std::ptrdiff_t>(first_bit_[a + 1]));
      text += (a == 0 ? " " : "    ") + agent_name(a) + ": " + joined(seen, ",") + "\n";
    }
    return text;
  }

 private:
  static std::size_t bits_for(const std::vector<std::uint32_t>& classes) {
    std::size_t bits = 1;
    const std::uint32_t most = *std::max_element(classes.begin(), classes.end());
    while (most >> bits != 0) ++bits;
    return bits;
  }
  static std::string variable(std::size_t index) { return std::to_string(index + 1); }

  // Names of agents are letters and digits in that language.
  std::string agent_name(std::size_t agent) const {
    const std::string& name = model_.agents[agent];
    const bool plain = !name.empty() && name[0] >= 'a' && name[0] <= 'z' &&
                       std::all_of(name.begin(), name.end(), [](char c) {
                         return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
                       });
    return plain ? name : "agent" + std::to_string(agent + 1);
  }

  // The states of the structure: one conjunction per world.
  std::string law() const {
    std::set<std::string> states;
    for (std::size_t w = 0; w < model_.worlds.size(); ++w) states.insert(state(w));
    return "(" + joined({states.begin(), states.end()}, "\n    | ") + ")";
  }

  std::string state(std::size_t world) const {
    std::vector<std::string> literals;
    const auto add = [&](std::size_t index, bool holds) {
      literals.push_back((holds ? "" : "~ ") + variable(index));
    };
    const auto& held = model_.valuation[world];
    for (std::size_t a = 0; a < atoms_.size(); ++a)
      add(a, std::find(held.begin(), held.end(), atoms_[a]) != held.end());
    for (std::size_t a = 0; a < model_.agents.size(); ++a) {
      for (std::size_t bit = first_bit_[a]; bit < first_bit_[a + 1]; ++bit)
        add(bit, (model_.class_of[a][world] >> (bit - first_bit_[a]) & 1) != 0);
    }
    return "(" + joined(literals, " & ") + ")";
  }

  const Model& model_;
  std::vector<std::string> atoms_;
  std::vector<std::size_t> first_bit_;  // by agent, one more at the end
};

}  // namespace

Model model_of(const Developments& developments) {
  const Round& round = developments.last();
  const ground::Game& game = developments.machine().game();
  Model model;
  for (std::size_t agent = 0; agent < developments.agents().size(); ++agent)
    model.agents.push_back(developments.agent_name(agent));
  const std::vector<std::string> names = game.fluent_names();
  for (std::size_t w = 0; w < round.worlds.size(); ++w) {
    model.worlds.push_back("w" + std::to_string(w + 1));
    std::vector<std::string>& held = model.valuation.emplace_back();
    round.states[round.worlds[w].state].for_each([&](std::size_t f) { held.push_back(names[f]); });
    std::sort(held.begin(), held.end());
  }
  model.class_of = round.information;
  return model;
}

base::Result<std::string> to_game(const Model& model) {
  if (const auto valid = check_model(model); !valid) return tl::unexpected(valid.error());
  std::string rules = model_rules(model);
  const auto read = gdl::read_rules(std::make_shared<const base::Source>("model", rules));
  if (!read) return tl::unexpected(read.error());
  return rules;
}

std::string to_smcdel(const Model& model) { return KnowledgeStructure(model).text(); }

}  // namespace zermelo::know
