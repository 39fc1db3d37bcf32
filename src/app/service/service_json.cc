#include "app/service/service_json.h"

#include "app/json.h"
#include "app/json/values.h"
#include "families/families.h"

namespace zermelo::app {
namespace {

Json value_json(const std::optional<ExactValue>& value) {
  if (!value) return nullptr;
  Json outcomes = Json::array();
  for (const Outcome outcome : value->outcomes) outcomes.push_back(name_of(outcome));
  return {{"rewards", rewards_json(value->rewards)},
          {"distance", or_null(value->distance)},
          {"outcomes", outcomes}};
}

Json job_json(const JobView& job) {
  Json json = {{"id", job.id},
               {"game", job.game},
               {"state", name_of(job.state)},
               {"progress", job.progress}};
  add_error(json, job.error);
  json["result"] = job.result.empty() ? Json(nullptr) : Json::parse(job.result);
  return json;
}

Json entry_json(const LibraryEntry& entry) {
  return {{"id", entry.id}, {"title", entry.title}, {"summary", entry.summary}};
}

Json place_json(const base::Source& source, std::uint32_t offset) {
  const base::Position position = source.position(offset);
  return {{"line", position.line}, {"column", position.column}, {"offset", offset}};
}

}  // namespace

std::string to_json(const std::vector<LibraryEntry>& entries, bool with_families) {
  Json games = Json::array();
  for (const LibraryEntry& entry : entries) games.push_back(entry_json(entry));
  Json json = {{"games", games}};
  if (with_families) json["families"] = Json::parse(to_json(families::list()))["families"];
  return one_line(json);
}

std::string game_json(const OpenGame& game, const std::optional<JobView>& job) {
  Json json = entry_json(game.entry());
  json["rules"] = game.rules()->source->text();
  json["roles"] = game.roles();
  json["grounded"] = game.simulator()->machine() != nullptr;
  json["solved"] = game.is_solved();
  json["job"] = job ? job_json(*job) : Json(nullptr);
  return one_line(json);
}

std::string diagnostics_json(const CheckedFile& checked) {
  Json diagnostics = Json::array();
  if (!checked.rules) {
    diagnostics.push_back({{"severity", "error"},
                           {"code", "unreadable"},
                           {"message", checked.rules.error().message},
                           {"begin", {{"line", 1}, {"column", 1}, {"offset", 0}}},
                           {"end", {{"line", 1}, {"column", 1}, {"offset", 0}}}});
  } else {
    const base::Source& source = *checked.rules->rulesheet->source;
    for (const gdl::Diagnostic& diagnostic : checked.rules->diagnostics) {
      const bool is_error = diagnostic.severity == gdl::Severity::error;
      diagnostics.push_back({{"severity", is_error ? "error" : "warning"},
                             {"code", diagnostic.code},
                             {"message", diagnostic.message},
                             {"begin", place_json(source, diagnostic.span.begin)},
                             {"end", place_json(source, diagnostic.span.end)}});
    }
  }
  return one_line(
      {{"valid", checked.rules && checked.rules->is_valid()}, {"diagnostics", diagnostics}});
}

std::string to_json(const PositionView& view) {
  Json moves = Json::array();
  for (const MoveView& move : view.moves) {
    moves.push_back({{"role", move.role},
                     {"move", move.name},
                     {"cells", move.cells},
                     {"value", value_json(move.value)},
                     {"delta", or_null(move.delta)},
                     {"keeps_value", move.value ? Json(move.keeps_value) : Json(nullptr)},
                     {"best", move.value ? Json(move.best) : Json(nullptr)}});
  }
  return one_line({{"roles", view.roles},
                   {"history", view.history},
                   {"position", view.fluents},
                   {"terminal", view.terminal},
                   {"goals", view.terminal ? Json(view.goals) : Json(nullptr)},
                   {"deciding", view.deciding},
                   {"moves", moves},
                   {"solved", view.solved},
                   {"value", value_json(view.value)},
                   {"line", view.line},
                   {"svg", view.svg}});
}

std::string to_json(const ValueHistory& history) {
  Json steps = Json::array();
  for (const ValueHistory::Step& step : history.steps) {
    Json loss = Json::array();
    for (const auto& role : step.loss) loss.push_back(or_null(role));
    steps.push_back({{"value", value_json(step.value)}, {"loss", loss}});
  }
  return one_line({{"roles", history.roles}, {"solved", history.solved}, {"steps", steps}});
}

std::string to_json(const SearchView& view) {
  Json moves = Json::array();
  for (const SearchView::Candidate& move : view.moves) {
    moves.push_back({{"move", move.move},
                     {"visits", move.visits},
                     {"mean", move.mean},
                     {"exact", move.exact ? rewards_json(*move.exact) : Json(nullptr)}});
  }
  return one_line({{"role", view.role},
                   {"simulations", view.simulations},
                   {"seconds", view.seconds},
                   {"mean", view.mean},
                   {"exact", view.exact ? rewards_json(*view.exact) : Json(nullptr)},
                   {"moves", moves},
                   {"line", view.line}});
}

std::string to_json(const std::vector<Puzzle>& puzzles) {
  Json list = Json::array();
  for (const Puzzle& puzzle : puzzles) {
    list.push_back({{"history", puzzle.history},
                    {"role", puzzle.role},
                    {"outcome", name_of(puzzle.outcome)},
                    {"distance", or_null(puzzle.distance)},
                    {"moves", puzzle.moves},
                    {"surprise", puzzle.surprise}});
  }
  return one_line({{"puzzles", list}});
}

std::string to_json(const JobView& job) { return one_line(job_json(job)); }

std::string to_json(const std::vector<JobView>& jobs) {
  Json list = Json::array();
  for (const JobView& job : jobs) list.push_back(job_json(job));
  return one_line({{"jobs", list}});
}

std::string to_json(const InsideView& inside) {
  Json json = Json::parse(to_json(inside.description));
  json.erase("optimiser");
  Json moves = Json::object();
  for (std::size_t role = 0; role < inside.roles.size(); ++role) {
    moves[inside.roles[role]] = inside.moves[role];
  }
  json["fluent_names"] = inside.fluents;
  json["move_names"] = moves;
  json["dependencies"] = inside.dependencies;
  Json layers = Json::array();
  for (const InsideView::Layer& layer : inside.layers) {
    layers.push_back({{"states", layer.states},
                      {"terminal", layer.terminal},
                      {"by_value", layer.by_value},
                      {"nodes", layer.nodes}});
  }
  Json outcomes = Json::array();
  for (const solve::Rewards& outcome : inside.outcomes) outcomes.push_back(rewards_json(outcome));
  json["solution"] =
      inside.layers.empty() ? Json(nullptr) : Json{{"outcomes", outcomes}, {"layers", layers}};
  return one_line(json);
}

std::string to_json(const GamesmanPosition& position) {
  Json moves = Json::array();
  for (const GamesmanPosition::Move& move : position.moves) {
    moves.push_back({{"move", move.name},
                     {"autoguiMove", ""},
                     {"position", move.position},
                     {"autoguiPosition", ""},
                     {"positionValue", move.position_value},
                     {"moveValue", move.value},
                     {"remoteness", move.remoteness},
                     {"deltaRemoteness", move.delta}});
  }
  return one_line({{"position", position.position},
                   {"autoguiPosition", ""},
                   {"positionValue", position.value},
                   {"remoteness", position.remoteness},
                   {"moves", moves}});
}

}  // namespace zermelo::app
