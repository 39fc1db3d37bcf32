#include "serve/api.h"

#include <fmt/format.h>

#include <charconv>

#include "app/draw.h"
#include "app/json.h"
#include "app/rules_text.h"
#include "app/service/records.h"
#include "app/service/service_json.h"
#include "app/translate.h"
#include "serve/api_call.h"

namespace zermelo::serve {
namespace {

constexpr std::size_t quick_threads = 4, slow_threads = 2;
constexpr std::size_t max_waiting = 512, max_waiting_slow = 64;
constexpr std::size_t max_rules = std::size_t{1} << 20;

using ApiAnswer = base::Result<HttpResponse>;

template <class Value>
ApiAnswer answer_json(const base::Result<Value>& value) {
  if (!value) return tl::unexpected(value.error());
  return json_response(app::to_json(*value));
}

base::Error wrong(std::string message) {
  return {base::ErrorKind::invalid_request, std::move(message)};
}

HttpResponse svg_response(std::string svg) {
  return {.headers = {{"Content-Type", "image/svg+xml"}, {"Cache-Control", "no-cache"}},
          .body = std::move(svg)};
}

HttpResponse download(std::string text, const std::string& name) {
  return {.headers = {{"Content-Type", "text/plain; charset=utf-8"},
                      {"Content-Disposition", fmt::format("attachment; filename=\"{}\"", name)}},
          .body = std::move(text)};
}

std::optional<std::uint64_t> number_in(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string event_text(std::string_view data) { return fmt::format("data: {}\n\n", data); }

HttpResponse event_head() {
  return {.headers = {{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-store"}}};
}

std::optional<app::OpponentRequest::Kind> opponent_kind(const std::string& name) {
  using Kind = app::OpponentRequest::Kind;
  if (name.empty() || name == "auto") return Kind::automatic;
  if (name == "search") return Kind::search;
  if (name == "random") return Kind::random;
  if (name == "perfect") return Kind::perfect;
  return std::nullopt;
}

struct Language {
  const char* name;
  app::TargetLanguage target;
  const char* file;
};

constexpr Language languages[] = {{"pddl", app::TargetLanguage::pddl, "pddl"},
                                  {"sas", app::TargetLanguage::sas, "sas"},
                                  {"gddl", app::TargetLanguage::gddl, "gddl"},
                                  {"cpp", app::TargetLanguage::cpp, "cc"}};

}  // namespace

// The functions behind the routes. Each has the call and, if it streams, the responder.
class Api::Routes {
 public:
  explicit Routes(Api& api) : api_(api) {}

  enum class Pool { quick, slow };
  struct Entry {
    Route route;
    Pool pool;
    ApiAnswer (Routes::*answer)(const ApiCall& call, const app::Context& context);
    void (Routes::*stream)(const ApiCall& call, const Responder& to, const app::Context& context);
  };
  static const std::vector<Entry>& all();

 private:
  using Game = app::OpenGames::Pointer;

  base::Result<Game> game_of(const ApiCall& call, const app::Context& context) {
    return api_.games_.get(call.parameter("game"), context);
  }

  ApiAnswer list_games(const ApiCall&, const app::Context&) {
    return json_response(app::to_json(api_.library_.shipped(), true));
  }

  ApiAnswer add_game(const ApiCall& call, const app::Context& context) {
    const auto rules = call.text("rules");
    if (!rules) return tl::unexpected(wrong("rules: expected a text"));
    return add_rules(*rules, context);
  }

  ApiAnswer add_rules(const std::string& rules, const app::Context& context) {
    if (rules.size() > max_rules) return tl::unexpected(wrong("rules: too long"));
    const auto valid = app::rules_of_text("rules", rules, api_.limits_.start(context));
    if (!valid) return tl::unexpected(valid.error());
    const auto id = api_.library_.add(rules);
    if (!id) return tl::unexpected(id.error());
    return json_response(nlohmann::json{{"id", *id}, {"rules", rules}}.dump(
        -1, ' ', false, nlohmann::json::error_handler_t::replace));
  }

  ApiAnswer generate(const ApiCall& call, const app::Context& context) {
    const auto rules = app::generate({call.text("family").value_or(""), call.texts("sizes")});
    if (!rules) return tl::unexpected(rules.error());
    return add_rules(*rules, context);
  }

  ApiAnswer check(const ApiCall& call, const app::Context& context) {
    const auto rules = call.text("rules");
    if (!rules || rules->size() > max_rules) {
      return tl::unexpected(wrong("rules: expected a text of at most 1 MB"));
    }
    return json_response(
        app::diagnostics_json(app::check_text("rules", *rules, api_.limits_.start(context))));
  }

  ApiAnswer show_game(const ApiCall& call, const app::Context& context) {
    const auto game = game_of(call, context);
    if (!game) return tl::unexpected(game.error());
    return json_response(app::game_json(**game, api_.jobs_.of_game(call.parameter("game"))));
  }

  ApiAnswer picture(const ApiCall& call, const app::Context& context) {
    const auto game = game_of(call, context);
    if (!game) return tl::unexpected(game.error());
    const search::Simulator& simulator = *(*game)->simulator();
    const auto picture = (*game)->scene().depict(simulator.fluent_names(simulator.initial()));
    app::SvgOptions options;
    options.lists = picture.boards.empty();
    return svg_response(app::picture_as_svg(picture, options));
  }

  ApiAnswer picture_style(const ApiCall&, const app::Context&) {
    return HttpResponse{.headers = {{"Content-Type", "text/css"}}, .body = app::picture_style()};
  }

  ApiAnswer position(const ApiCall& call, const app::Context& context) {
    const auto game = game_of(call, context);
    if (!game) return tl::unexpected(game.error());
    auto steps = steps_in(call);
    if (!steps) return tl::unexpected(steps.error());
    const bool line = call.body.is_object() && call.body.value("line", false);
    return answer_json(app::view_position(**game, {std::move(*steps), line}));
  }

  // The position after one more step.
  ApiAnswer apply(const ApiCall& call, const app::Context& context) {
    const auto game = game_of(call, context);
    if (!game) return tl::unexpected(game.error());
    auto steps = steps_in(call);
    if (!steps) return tl::unexpected(steps.error());
    const nlohmann::json moves = call.body.value("moves", nlohmann::json::object());
    if (!moves.is_object()) return tl::unexpected(wrong("moves: expected moves by role"));
    app::StepChoice choice((*game)->roles().size());
    for (const auto& [role, move] : moves.items()) {
      const auto& roles = (*game)->roles();
      const auto found = std::find(roles.begin(), roles.end(), role);
      if (found == roles.end() || !move.is_string()) {
        return tl::unexpected(wrong("moves: expected moves by role"));
      }
      choice[static_cast<std::size_t>(found - roles.begin())] = move.get<std::string>();
    }
    steps->push_back(std::move(choice));
    return answer_json(app::view_position(**game, {std::move(*steps), false}));
  }

  ApiAnswer values(const ApiCall& call, const app::Context& context) {
    const auto game = game_of(call, context);
    if (!game) return tl::unexpected(game.error());
    const auto steps = steps_in(call);
    if (!steps) return tl::unexpected(steps.error());
    return answer_json(app::value_history(**game, *steps));
  }

  ApiAnswer play(const ApiCall& call, const app::Context& context) {
    const auto game = game_of(call, context);
    if (!game) return tl::unexpected(game.error());
    auto steps = steps_in(call);
    if (!steps) return tl::unexpected(steps.error());
    const auto kind = opponent_kind(call.text("agent").value_or(""));
    if (!kind) return tl::unexpected(wrong("agent: expected auto, search, random or perfect"));
    app::OpponentRequest request;
    request.steps = std::move(*steps);
    request.role = call.text("role").value_or("");
    request.kind = *kind;
    request.seconds = call.number("seconds").value_or(1);
    if (const auto simulations = call.number("simulations")) {
      request.simulations = static_cast<std::uint64_t>(std::clamp(*simulations, 1.0, 1e6));
    }
    const auto move = app::choose_move(**game, request, context);
    if (!move) return tl::unexpected(move.error());
    return json_response(nlohmann::json{{"role", request.role}, {"move", *move}}.dump());
  }

  void analyse(const ApiCall& call, const Responder& to, const app::Context& context) {
    const auto game = game_of(call, context);
    if (!game) return to.send(error_response(game.error()));
    const auto json = nlohmann::json::parse(call.query_value("steps"), nullptr, false);
    auto steps = steps_of(json.is_discarded() ? nlohmann::json() : json);
    if (!steps) return to.send(error_response(steps.error()));
    app::SearchRequest request;
    request.steps = std::move(*steps);
    if (const auto seconds = number_in(call.query_value("seconds"))) {
      request.seconds = static_cast<double>(std::min<std::uint64_t>(*seconds, 30));
    }
    const auto stream = to.stream(event_head());
    const auto show = [&](const app::SearchView& view) {
      return stream->write(event_text(app::to_json(view)));
    };
    const auto watched = app::watch_search(**game, request, show, context);
    if (!watched) stream->write(event_text(app::to_json(watched.error())));
    stream->write("event: end\ndata: {}\n\n");
    stream->end();
  }

  ApiAnswer start_solving(const ApiCall& call, const app::Context&) {
    std::optional<std::chrono::duration<double>> time;
    if (const auto seconds = call.number("seconds")) {
      time = std::chrono::duration<double>(std::clamp(*seconds, 1.0, 1e6));
    }
    return answer_json(api_.jobs_.start(call.parameter("game"), time));
  }

  ApiAnswer list_jobs(const ApiCall&, const app::Context&) {
    return json_response(app::to_json(api_.jobs_.list()));
  }

  ApiAnswer show_job(const ApiCall& call, const app::Context&) {
    const auto id = number_in(call.parameter("job"));
    return answer_json(api_.jobs_.view(id.value_or(0)));
  }

  ApiAnswer cancel_job(const ApiCall& call, const app::Context&) {
    const auto id = number_in(call.parameter("job"));
    return answer_json(api_.jobs_.cancel(id.value_or(0)));
  }

  void job_events(const ApiCall& call, const Responder& to, const app::Context&) {
    const std::uint64_t id = number_in(call.parameter("job")).value_or(0);
    if (const auto job = api_.jobs_.view(id); !job) return to.send(error_response(job.error()));
    const auto stream = to.stream(event_head());
    const auto listener = [stream](const std::string& event, bool is_last) {
      const bool is_open = stream->write(event_text(event));
      if (is_last) {
        stream->write("event: end\ndata: {}\n\n");
        stream->end();
      }
      return is_open && !is_last;
    };
    if (!api_.jobs_.listen(id, listener)) stream->end();
  }

  ApiAnswer puzzles(const ApiCall& call, const app::Context& context) {
    const auto game = game_of(call, context);
    if (!game) return tl::unexpected(game.error());
    app::PuzzleRequest request;
    request.count =
        std::clamp<std::size_t>(number_in(call.query_value("count")).value_or(24), 1, 100);
    request.seed = number_in(call.query_value("seed")).value_or(1);
    request.limits.time = std::chrono::seconds(3);
    return answer_json(app::find_puzzles(**game, request, context));
  }

  ApiAnswer inside(const ApiCall& call, const app::Context& context) {
    const auto game = game_of(call, context);
    if (!game) return tl::unexpected(game.error());
    return answer_json(app::look_inside(**game, api_.limits_, context));
  }

  ApiAnswer judge(const ApiCall& call, const app::Context& context) {
    const auto game = game_of(call, context);
    if (!game) return tl::unexpected(game.error());
    return answer_json(app::judge_record(**game, call.body.dump()));
  }

  ApiAnswer write_record(const ApiCall& call, const app::Context& context) {
    const auto game = game_of(call, context);
    if (!game) return tl::unexpected(game.error());
    const auto steps = steps_in(call);
    if (!steps) return tl::unexpected(steps.error());
    auto record = app::write_record(**game, *steps, call.texts("players"));
    if (!record) return tl::unexpected(record.error());
    return json_response(std::move(*record));
  }

  ApiAnswer translation(const ApiCall& call, const app::Context& context) {
    const auto game = game_of(call, context);
    if (!game) return tl::unexpected(game.error());
    const std::string& name = call.parameter("language");
    const std::string& id = call.parameter("game");
    if (name == "kif" || name == "infix") {
      const auto syntax = name == "kif" ? gdl::Syntax::prefix : gdl::Syntax::infix;
      return download(app::print_rules({(*game)->rules(), syntax}),
                      id + (name == "kif" ? ".kif" : ".infix"));
    }
    for (const Language& language : languages) {
      if (name != language.name) continue;
      app::TranslateRequest request;
      request.rules = (*game)->rules();
      request.target = language.target;
      request.limits = api_.limits_;
      const auto files = app::translate(request, context);
      if (!files) return tl::unexpected(files.error());
      std::string text;
      for (const app::TranslatedFile& file : *files) {
        if (!file.name.empty()) text += fmt::format("; {}\n", file.name);
        text += file.text;
      }
      return download(std::move(text), fmt::format("{}.{}", id, language.file));
    }
    return tl::unexpected(wrong("there is no such language"));
  }

  ApiAnswer gamesman_games(const ApiCall&, const app::Context&) {
    nlohmann::json list = nlohmann::json::array();
    for (const app::LibraryEntry& entry : api_.library_.shipped()) {
      const auto rules = api_.library_.text(entry.id);
      const bool is_puzzle = rules && rules->find("(role ") == rules->rfind("(role ");
      list.push_back({{"id", entry.id},
                      {"name", entry.title},
                      {"type", is_puzzle ? "onePlayer" : "twoPlayer"},
                      {"gui", ""}});
    }
    return json_response(list.dump());
  }

  ApiAnswer gamesman_game(const ApiCall& call, const app::Context&) {
    const auto entry = api_.library_.entry(call.parameter("game"));
    if (!entry) return gamesman_error(entry.error());
    const nlohmann::json variant = {{"id", "regular"}, {"name", "Regular"}, {"gui", ""}};
    return json_response(nlohmann::json{
        {"id", entry->id},
        {"name", entry->title},
        {"variants", nlohmann::json::array({variant})},
        {"allowCustomVariantCreation", false},
        {"supportsWinBy",
         false}}.dump());
  }

  ApiAnswer gamesman_variant(const ApiCall& call, const app::Context& context) {
    const auto game = game_of(call, context);
    if (!game) return gamesman_error(game.error());
    return json_response(nlohmann::json{
        {"id", call.parameter("variant")},
        {"name", "Regular"},
        {"startPosition", app::gamesman_start(**game)},
        {"autoguiStartPosition", ""},
        {"imageAutoGUIData", nullptr},
        {"gui", ""}}.dump());
  }

  ApiAnswer gamesman_position(const ApiCall& call, const app::Context& context) {
    const auto game = game_of(call, context);
    if (!game) return gamesman_error(game.error());
    const auto position = app::gamesman_position(**game, call.query_value("p"));
    if (!position) return gamesman_error(position.error());
    return json_response(app::to_json(*position));
  }

  // Gamesman's clients look for this field.
  static ApiAnswer gamesman_error(const base::Error& error) {
    HttpResponse response = json_response(nlohmann::json{{"error", error.message}}.dump());
    response.status = status_of(error);
    return response;
  }

  static base::Result<std::vector<app::StepChoice>> steps_in(const ApiCall& call) {
    if (!call.body.is_object()) return tl::unexpected(wrong("expected a JSON object"));
    return steps_of(call.body.value("steps", nlohmann::json()));
  }

  Api& api_;
};

const std::vector<Api::Routes::Entry>& Api::Routes::all() {
  using R = Routes;
  static const std::vector<Entry> entries = {
      {{"GET", "/api/v1/games"}, Pool::quick, &R::list_games, nullptr},
      {{"POST", "/api/v1/games"}, Pool::quick, &R::add_game, nullptr},
      {{"POST", "/api/v1/generate"}, Pool::quick, &R::generate, nullptr},
      {{"POST", "/api/v1/check"}, Pool::quick, &R::check, nullptr},
      {{"GET", "/api/v1/picture.css"}, Pool::quick, &R::picture_style, nullptr},
      {{"GET", "/api/v1/games/{game}"}, Pool::quick, &R::show_game, nullptr},
      {{"GET", "/api/v1/games/{game}/picture.svg"}, Pool::quick, &R::picture, nullptr},
      {{"POST", "/api/v1/games/{game}/position"}, Pool::quick, &R::position, nullptr},
      {{"POST", "/api/v1/games/{game}/apply"}, Pool::quick, &R::apply, nullptr},
      {{"POST", "/api/v1/games/{game}/values"}, Pool::quick, &R::values, nullptr},
      {{"POST", "/api/v1/games/{game}/play"}, Pool::slow, &R::play, nullptr},
      {{"GET", "/api/v1/games/{game}/analyse"}, Pool::slow, nullptr, &R::analyse},
      {{"POST", "/api/v1/games/{game}/solve"}, Pool::quick, &R::start_solving, nullptr},
      {{"GET", "/api/v1/games/{game}/puzzles"}, Pool::slow, &R::puzzles, nullptr},
      {{"GET", "/api/v1/games/{game}/inside"}, Pool::slow, &R::inside, nullptr},
      {{"POST", "/api/v1/games/{game}/records"}, Pool::quick, &R::judge, nullptr},
      {{"POST", "/api/v1/games/{game}/record"}, Pool::quick, &R::write_record, nullptr},
      {{"GET", "/api/v1/games/{game}/translations/{language}"},
       Pool::slow,
       &R::translation,
       nullptr},
      {{"GET", "/api/v1/jobs"}, Pool::quick, &R::list_jobs, nullptr},
      {{"GET", "/api/v1/jobs/{job}"}, Pool::quick, &R::show_job, nullptr},
      {{"DELETE", "/api/v1/jobs/{job}"}, Pool::quick, &R::cancel_job, nullptr},
      {{"GET", "/api/v1/jobs/{job}/events"}, Pool::quick, nullptr, &R::job_events},
      {{"GET", "/uwapi"}, Pool::quick, &R::gamesman_games, nullptr},
      {{"GET", "/uwapi/{game}"}, Pool::quick, &R::gamesman_game, nullptr},
      {{"GET", "/uwapi/{game}/{variant}"}, Pool::quick, &R::gamesman_variant, nullptr},
      {{"GET", "/uwapi/{game}/{variant}/positions"}, Pool::quick, &R::gamesman_position, nullptr}};
  return entries;
}

Api::Api(const ApiOptions& options)
    : library_(options.data / "games"),
      games_(library_, options.data / "solutions", options.max_games, options.request_limits),
      jobs_(games_, library_, options.data / "solutions", options.data / "jobs", options.jobs),
      limits_(options.request_limits),
      routes_(std::make_unique<Routes>(*this)),
      quick_(quick_threads, max_waiting),
      slow_(slow_threads, max_waiting_slow) {}

Api::~Api() = default;

bool Api::is_responsible_for(std::string_view path) {
  return path.starts_with("/api/") || path == "/uwapi" || path.starts_with("/uwapi/");
}

std::vector<Route> Api::routes() {
  std::vector<Route> routes;
  for (const Routes::Entry& entry : Routes::all()) {
    if (entry.route.path.starts_with("/api/v1/")) routes.push_back(entry.route);
  }
  return routes;
}

void Api::handle(HttpRequest request, const Responder& to) {
  RequestTarget target = parse_target(request.target);
  while (target.path.size() > 1 && target.path.ends_with('/')) target.path.pop_back();
  bool is_known = false;
  for (const Routes::Entry& entry : Routes::all()) {
    auto parameters = match_path(entry.route.path, target.path);
    if (!parameters) continue;
    is_known = true;
    if (entry.route.method != request.method) continue;
    auto call = std::make_shared<ApiCall>();
    call->parameters = std::move(*parameters);
    call->query = std::move(target.query);
    call->body = nlohmann::json::parse(request.body, nullptr, false);
    if (request.method == "POST" && call->body.is_discarded()) {
      return to.send(error_response(wrong("the body is not JSON")));
    }
    const auto work = [this, entry, call, to](const std::stop_token& stop) {
      const app::Context context{{}, stop};
      try {
        if (entry.stream != nullptr) return ((*routes_).*entry.stream)(*call, to, context);
        const ApiAnswer answer = ((*routes_).*entry.answer)(*call, context);
        to.send(answer ? *answer : error_response(answer.error()));
      } catch (const nlohmann::json::exception&) {
        to.send(error_response(wrong("a field of the body has another type than expected")));
      } catch (const std::exception&) {
        to.send(error_response({base::ErrorKind::memory_limit, "the request is too large"}));
      }
    };
    WorkerPool& pool = entry.pool == Routes::Pool::slow ? slow_ : quick_;
    if (!pool.submit(work)) {
      to.send(error_response({base::ErrorKind::time_limit, "the server is busy"}));
    }
    return;
  }
  HttpResponse response = error_response(wrong("there is no such address"));
  if (is_known) response.status = 405;
  to.send(std::move(response));
}

}  // namespace zermelo::serve
