#include "app/service/open_game.h"

#include <algorithm>

#include "app/rules_text.h"
#include "play/scene_of.h"

namespace zermelo::app {

base::Result<std::shared_ptr<OpenGame>> OpenGame::open(LibraryEntry entry, const std::string& text,
                                                       std::filesystem::path solution,
                                                       const ResourceLimits& limits,
                                                       const Context& context) {
  auto rules = rules_of_text(entry.title, text, limits.start(context));
  if (!rules) return tl::unexpected(rules.error());
  // The reference engine of large games stays within the limit of memory for ever.
  auto simulator =
      make_simulator(*rules, limits, context, base::Limits(std::nullopt, limits.memory()));
  if (!simulator) return tl::unexpected(simulator.error());
  std::shared_ptr<OpenGame> game(new OpenGame);
  game->entry_ = std::move(entry);
  game->rules_ = std::move(*rules);
  game->simulator_ = std::move(*simulator);
  game->scene_.emplace(
      play::scene_of(*game->simulator_, game->rules_.get(), limits.start(context)));
  game->solution_ = std::move(solution);
  return game;
}

bool OpenGame::with_solution(const std::function<void(solve::SolutionReader&)>& use) const {
  const std::lock_guard lock(mutex_);
  const auto machine = simulator_->machine();
  if (!machine) return false;
  const solve::SolutionFolder folder(solution_);
  if (!reader_ && folder.finished()) {
    auto reader = solve::SolutionReader::open(solution_, machine);
    if (reader) reader_.emplace(std::move(*reader));
  }
  if (!reader_) return false;
  use(*reader_);
  return true;
}

base::Result<OpenGames::Pointer> OpenGames::get(const std::string& id, const Context& context) {
  std::promise<base::Result<Pointer>> promise;
  Shared game;
  bool is_new = false;
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& entry) { return entry.id == id; });
    is_new = found == entries_.end();
    if (is_new) {
      game = promise.get_future().share();
      entries_.push_front({id, game});
      if (entries_.size() > max_games_) entries_.pop_back();
    } else {
      game = found->game;
      entries_.splice(entries_.begin(), entries_, found);
    }
  }
  if (is_new) {
    try {
      promise.set_value(make(id, context));
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
    if (!game.get()) forget(id);
  }
  return game.get();
}

base::Result<OpenGames::Pointer> OpenGames::make(const std::string& id,
                                                 const Context& context) const {
  const auto text = library_.text(id);
  if (!text) return tl::unexpected(text.error());
  auto entry = library_.entry(id);
  if (!entry) return tl::unexpected(entry.error());
  return OpenGame::open(std::move(*entry), *text, solution_folder(*text), limits_, context);
}

void OpenGames::forget(const std::string& id) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const Entry& entry) { return entry.id == id; });
}

}  // namespace zermelo::app
