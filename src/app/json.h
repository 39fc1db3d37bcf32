// Results as one line of JSON each, as `--json` and the HTTP interface show them. The fields are
// listed in docs/reference/commands.md.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error_name.h"
#include "base/result.h"

namespace zermelo::families {
struct Family;
}

namespace zermelo::play {
struct MatchResult;
struct Replay;
}  // namespace zermelo::play

namespace zermelo::solve {
struct Verification;
}

namespace zermelo::app {

struct BanditStudy;
struct CheckedFile;
struct CoalitionResult;
struct MatchReport;
struct CountResult;
struct Evaluation;
struct FactorResult;
struct GameDescription;
struct KnowResult;
struct PerftCounts;
struct PlanReport;
struct PlayoutStatistics;
struct PositionStudy;
struct PropertiesStudy;
struct QueryResult;
struct SolveResult;
struct StrengthStudy;
struct TossHeuristic;
struct TrainResult;

// {"error": {"kind": ..., "message": ...}}
std::string to_json(const base::Error& error);
// The same for a kind that is not of base::ErrorKind.
std::string error_json(std::string_view kind, std::string_view message);

// check
std::string to_json(const std::vector<CheckedFile>& files);

// generate
std::string to_json(std::span<const families::Family> families);

// info
std::string to_json(const GameDescription& description);

// evaluate
std::string to_json(const Evaluation& evaluation);

// train
std::string to_json(const TrainResult& result);

// toss heuristic
std::string to_json(const TossHeuristic& heuristic);

// factor
std::string to_json(const FactorResult& result);

// know
std::string to_json(const KnowResult& result);

// perft and playouts
std::string to_json(const PerftCounts& counts);
std::string to_json(const PlayoutStatistics& statistics);

// count, solve, query and verify
std::string to_json(const CountResult& result);
std::string to_json(const SolveResult& result);
std::string to_json(const QueryResult& result);
std::string to_json(const solve::Verification& verification);

// coalition
std::string to_json(const CoalitionResult& result);

// plan
std::string to_json(const PlanReport& report);

// match, referee and replay
std::string to_json(const play::MatchResult& match);
std::string to_json(const MatchReport& report);
std::string to_json(const play::Replay& replay);

// experiment
std::string to_json(const BanditStudy& study);
std::string to_json(const PositionStudy& study);
std::string to_json(const PropertiesStudy& study);
std::string to_json(const StrengthStudy& study);

}  // namespace zermelo::app
