#include "app/know.h"

#include <algorithm>

#include "app/json.h"
#include "app/json/knowledge.h"
#include "app/json/values.h"

namespace zermelo::app {
namespace {

template <class Value>
Json by_player(const std::vector<std::string>& players, const std::vector<Value>& values) {
  Json result = Json::object();
  for (std::size_t i = 0; i < players.size(); ++i) result[players[i]] = values[i];
  return result;
}

Json as_json(const RoundSize& size, const std::vector<std::string>& players) {
  return {{"round", size.round},
          {"developments", std::to_string(size.developments)},
          {"terminal", std::to_string(size.terminal)},
          {"worlds", size.worlds},
          {"information_sets", by_player(players, size.information_sets)},
          {"decisions", by_player(players, size.decisions)}};
}

Json as_json(const KnowCounterexample& found) {
  Json json = {{"round", found.round}, {"moves", found.moves}};
  json["role"] = or_null(found.role);
  json["world"] = or_null(found.world);
  return json;
}

tl::unexpected<base::Error> not_a_model(const std::string& reason) {
  return base::fail(base::ErrorKind::invalid_rules, "not an epistemic model: " + reason);
}

// Throws an exception of the JSON library for missing fields and fields of a wrong type.
class ModelReader {
 public:
  explicit ModelReader(const Json& json) : json_(json) {}

  base::Result<know::Model> run() {
    model_.agents = json_.at("agents").get<std::vector<std::string>>();
    for (const Json& world : json_.at("worlds")) {
      model_.worlds.push_back(world.at("name").get<std::string>());
      auto atoms = world.value("atoms", std::vector<std::string>());
      std::sort(atoms.begin(), atoms.end());
      atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
      model_.valuation.push_back(std::move(atoms));
    }
    for (const std::string& agent : model_.agents) read_classes(agent);
    if (!problem_.empty()) return not_a_model(problem_);
    return std::move(model_);
  }

 private:
  static constexpr std::uint32_t no_class = ~std::uint32_t{0};

  // Worlds that no class of the agent lists are classes of their own.
  void read_classes(const std::string& agent) {
    std::vector<std::uint32_t> class_of(model_.worlds.size(), no_class);
    std::uint32_t next = 0;
    for (const Json& members : json_.at("classes").at(agent)) {
      for (const Json& member : members)
        add_member(agent, member.get<std::string>(), next, class_of);
      if (!members.empty()) ++next;
    }
    for (std::uint32_t& number : class_of) {
      if (number == no_class) number = next++;
    }
    model_.class_of.push_back(std::move(class_of));
  }

  void add_member(const std::string& agent, const std::string& world, std::uint32_t number,
                  std::vector<std::uint32_t>& class_of) {
    const auto found = std::find(model_.worlds.begin(), model_.worlds.end(), world);
    if (found == model_.worlds.end()) {
      problem_ = "there is no world " + world;
      return;
    }
    std::uint32_t& here = class_of[static_cast<std::size_t>(found - model_.worlds.begin())];
    if (here != no_class) problem_ = "world " + world + " is in two classes of " + agent;
    here = number;
  }

  const Json& json_;
  know::Model model_;
  std::string problem_;
};

}  // namespace

std::string to_json(const KnowResult& result) {
  Json json = {{"holds", or_null(result.holds)}};
  std::uint64_t developments = 0;
  std::vector<std::size_t> sets(result.players.size()), decisions(result.players.size());
  Json rounds = Json::array();
  for (const RoundSize& size : result.rounds) {
    developments += size.developments;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      sets[i] += size.information_sets[i];
      decisions[i] += size.decisions[i];
    }
    rounds.push_back(as_json(size, result.players));
  }
  json["developments"] = std::to_string(developments);
  json["information_sets"] = by_player(result.players, sets);
  json["decisions"] = by_player(result.players, decisions);
  json["rounds"] = std::move(rounds);
  json["counterexample"] = result.counterexample ? as_json(*result.counterexample) : Json(nullptr);
  json["files"] = result.files;
  return one_line(json);
}

Json knowledge_json(const know::KnowledgeProperties& found) {
  Json players = Json::object();
  const auto finding = [&](const std::optional<know::Confusion>& confusion) {
    Json json = {{"evidence", confusion ? "refuted" : found.complete() ? "proved" : "open"}};
    if (!confusion) return json;
    json["reason"] = confusion->reason;
    json["line"] = confusion->line;
    json["other"] = confusion->other;
    return json;
  };
  for (const know::PlayerKnowledge& player : found.players) {
    players[player.role] = {{"legal_moves", finding(player.moves)},
                            {"end", finding(player.end)},
                            {"goal", finding(player.goal)},
                            {"state", finding(player.state)}};
  }
  Json json = {{"rounds", found.rounds},
               {"complete", found.complete()},
               {"developments", std::to_string(found.developments)},
               {"players", std::move(players)}};
  add_error(json, found.limit);
  return json;
}

std::string model_json(const know::Model& model) {
  Json worlds = Json::array(), classes = Json::object();
  for (std::size_t w = 0; w < model.worlds.size(); ++w)
    worlds.push_back({{"name", model.worlds[w]}, {"atoms", model.valuation[w]}});
  for (std::size_t a = 0; a < model.agents.size(); ++a) {
    std::vector<std::vector<std::string>> members;
    for (std::size_t w = 0; w < model.worlds.size(); ++w) {
      const std::uint32_t number = model.class_of[a][w];
      if (members.size() <= number) members.resize(number + 1);
      members[number].push_back(model.worlds[w]);
    }
    std::erase_if(members, [](const auto& names) { return names.empty(); });
    classes[model.agents[a]] = members;
  }
  return one_line({{"agents", model.agents}, {"worlds", worlds}, {"classes", classes}}) + "\n";
}

base::Result<know::Model> read_model(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    return ModelReader(json).run();
  } catch (const Json::exception& problem) {
    return not_a_model(problem.what());
  }
}

}  // namespace zermelo::app
