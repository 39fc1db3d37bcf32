// The agents of the paper play one playout a simulation and prove nothing, as theirs did; RAVE and
// MAST are measured in the same way. The last is what the program plays: batches of playouts, and
// proved values. It is asked after ten times as many simulations, for which it needs about as long.
#include "cli/experiment_position.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/source.h"
#include "cli/experiment_curves.h"
#include "cli/json_output.h"
#include "cli/output.h"
#include "cli/output_folder.h"
#include "families/families.h"
#include "gdl/parser.h"
#include "play/agent.h"
#include "search/position_study.h"

namespace zermelo::cli {
namespace {

struct Candidate {
  std::string name;
  play::Variant variant;
  bool as_in_paper = true;

  std::uint32_t factor() const { return as_in_paper ? 1 : 10; }  // of simulations
};

struct Measured {
  std::string name;
  std::uint32_t every = 0;  // simulations between two points
  std::vector<base::Interval> points;
};

std::vector<Candidate> candidates() {
  std::vector<Candidate> result(6);
  result[0].name = "UCT";
  result[1].name = "ST";
  result[1].variant.sufficiency = true;
  result[2].name = "MA";
  result[2].variant.moving_average = true;
  result[3].name = "RAVE";
  result[3].variant.rave = true;
  result[4].name = "MAST";
  result[4].variant.mast = true;
  result[5].name = "zermelo x10";
  result[5].as_in_paper = false;
  return result;
}

base::Result<search::Riddle> make_riddle(bool sliced) {
  const auto rules = families::generate("breakthrough", {"8", "8"});
  if (!rules) return tl::unexpected(rules.error());
  auto parsed = gdl::parse(std::make_shared<const base::Source>("breakthrough", *rules));
  search::SimulatorOptions options;
  options.sliced = sliced;
  const auto engine = search::make_simulator(
      std::make_shared<const gdl::Rulesheet>(std::move(parsed.rulesheet)), options);
  if (!engine) return tl::unexpected(engine.error());
  const auto riddle = search::breakthrough_riddle(*engine);
  if (!riddle) return base::fail(base::ErrorKind::not_applicable, "the game was not grounded");
  return *riddle;
}

search::StudyOptions study_options(const PositionStudy& options) {
  search::StudyOptions result;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  if (options.trials) result.trials = static_cast<std::uint32_t>(*options.trials);
  result.threads = std::max(1u, static_cast<unsigned>(options.threads.value_or(cores)));
  result.seed = options.seed;
  return result;
}

base::Result<Measured> measure(const Candidate& candidate, search::StudyOptions options) {
  options.simulations *= candidate.factor();
  options.every *= candidate.factor();
  const auto riddle = make_riddle(!candidate.as_in_paper);
  if (!riddle) return tl::unexpected(riddle.error());
  play::AgentSpec spec;
  spec.variant = candidate.variant;
  search::UctOptions agent =
      play::uct_options(spec, {riddle->simulator, riddle->role, options.seed});
  agent.proofs = !candidate.as_in_paper;
  return Measured{candidate.name, options.every, search::how_often_solved(*riddle, agent, options)};
}

std::string csv(const std::vector<Measured>& agents) {
  std::string text = "agent,simulations,right,low,high\n";
  for (const Measured& agent : agents) {
    for (std::size_t i = 0; i < agent.points.size(); ++i) {
      text +=
          fmt::format("{},{},{}\n", agent.name, (i + 1) * agent.every, csv_cells(agent.points[i]));
    }
  }
  return text;
}

nlohmann::ordered_json as_json(const std::vector<Measured>& agents) {
  nlohmann::ordered_json curves = nlohmann::ordered_json::array();
  for (const Measured& agent : agents) {
    curves.push_back({{"agent", agent.name}, {"every", agent.every}});
    add_points(curves.back(), agent.points);
  }
  return {{"curves", curves}};
}

// One above the other, also where the simulations are ten times as many.
std::vector<Curve> curves_of(const std::vector<Measured>& agents) {
  std::vector<Curve> curves;
  for (const Measured& agent : agents) curves.push_back({agent.name, agent.points});
  return curves;
}

std::string as_text(const std::vector<Measured>& agents, const search::StudyOptions& study) {
  constexpr std::uint32_t simulations[] = {500, 1'000, 3'000};
  return "Winning move named, in percent of " + counted(study.trials, "trial") +
         ", after so many simulations, with 95% intervals:\n" +
         curve_table(curves_of(agents), study.every, simulations);
}

std::string picture(const std::vector<Measured>& agents, const search::StudyOptions& study) {
  return svg({"Breakthrough, a5-a6 wins: how often it is named", "simulations",
              static_cast<double>(study.simulations), curves_of(agents)});
}

base::Result<std::vector<Measured>> measure_all(const search::StudyOptions& study,
                                                ProgressMode mode) {
  std::vector<Measured> agents;
  ProgressLine progress(mode, "experiment");
  for (const Candidate& candidate : candidates()) {
    progress.say(candidate.name);
    auto measured = measure(candidate, study);
    if (!measured) return tl::unexpected(measured.error());
    agents.push_back(std::move(*measured));
  }
  return agents;
}

}  // namespace

base::Result<ExitCode> run_position_study(const PositionStudy& options) {
  auto folder = OutputFolder::open(options.folder);
  if (!folder) return tl::unexpected(folder.error());
  const search::StudyOptions study = study_options(options);
  const auto agents = measure_all(study, options.progress);
  if (!agents) return tl::unexpected(agents.error());
  folder->write("position.csv", csv(*agents));
  folder->write("position.svg", picture(*agents, study));
  if (options.json) {
    write_json(as_json(*agents));
  } else {
    write_answer(as_text(*agents, study));
  }
  return folder->end(ExitCode::success);
}

}  // namespace zermelo::cli
