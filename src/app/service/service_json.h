// The results of this folder as JSON. web/openapi.json describes the fields.
#pragma once

#include <string>
#include <vector>

#include "app/service/agents.h"
#include "app/service/gamesman.h"
#include "app/service/inside.h"
#include "app/service/position_view.h"
#include "app/service/puzzles.h"
#include "app/service/solve_jobs.h"

namespace zermelo::app {

std::string to_json(const std::vector<LibraryEntry>& entries, bool with_families);
std::string to_json(const PositionView& view);
std::string to_json(const ValueHistory& history);
std::string to_json(const SearchView& view);
std::string to_json(const std::vector<Puzzle>& puzzles);
std::string to_json(const JobView& job);
std::string to_json(const std::vector<JobView>& jobs);
std::string to_json(const InsideView& inside);
std::string to_json(const GamesmanPosition& position);

// The game itself: its title, rules and roles, whether it is solved, and its last job.
std::string game_json(const OpenGame& game, const std::optional<JobView>& job);
// The diagnostics of rules while they are typed, with the places where they begin and end.
std::string diagnostics_json(const CheckedFile& checked);

}  // namespace zermelo::app
